//! CAMT.053 files in the versions that differ, valid by their schemas.

/// Writes a statement with entries, from a balance of -10.00 to `closing`, which `direction` gives
/// its sign.
fn document(version: &str, entries: &str, direction: &str, closing: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><n:Document xmlns:n=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.{version}\">\n<n:BkToCstmrStmt><n:GrpHdr><n:MsgId>1</n:MsgId><n:CreDtTm>2026-03-03T01:02:03</n:CreDtTm></n:GrpHdr><n:Stmt><n:Id>1</n:Id><n:ElctrncSeqNb>12</n:ElctrncSeqNb><n:CreDtTm>2026-03-03T01:02:03</n:CreDtTm>\
         <n:Acct><n:Id><n:IBAN>NL69INGB0123456789</n:IBAN></n:Id><n:Ccy>EUR</n:Ccy></n:Acct>\
         <n:Bal><n:Tp><n:CdOrPrtry><n:Cd>PRCD</n:Cd></n:CdOrPrtry></n:Tp><n:Amt Ccy=\"EUR\">10.00</n:Amt><n:CdtDbtInd>DBIT</n:CdtDbtInd><n:Dt><n:Dt>2026-03-01</n:Dt></n:Dt></n:Bal>\
         <n:Bal><n:Tp><n:CdOrPrtry><n:Cd>CLBD</n:Cd></n:CdOrPrtry></n:Tp><n:Amt Ccy=\"EUR\">{closing}</n:Amt><n:CdtDbtInd>{direction}</n:CdtDbtInd><n:Dt><n:Dt>2026-03-02</n:Dt></n:Dt></n:Bal>\n\
         {entries}</n:Stmt></n:BkToCstmrStmt></n:Document>"
    )
}

/// Writes a statement with a returned direct debit of 30.00, and an entry that is not booked yet.
pub(crate) fn with_pending(version: &str) -> String {
    // Since version 8 the status has a code, and a party is within an element of its own.
    let status = |code: &str| match version {
        "02" | "04" => format!("<n:Sts>{code}</n:Sts>"),
        _ => format!("<n:Sts><n:Cd>{code}</n:Cd></n:Sts>"),
    };
    let party = match version {
        "02" | "04" => ["", ""],
        _ => ["<n:Pty>", "</n:Pty>"],
    };
    // Version 4 requires the amount of each payment.
    let amount = match version {
        "04" => "<n:Amt Ccy=\"EUR\">30.00</n:Amt><n:CdtDbtInd>CRDT</n:CdtDbtInd>",
        _ => "",
    };
    let code = "<n:BkTxCd><n:Domn><n:Cd>PMNT</n:Cd><n:Fmly><n:Cd>RDDT</n:Cd><n:SubFmlyCd>ESDD</n:SubFmlyCd></n:Fmly></n:Domn></n:BkTxCd>";
    let entry = format!(
        "<n:Ntry><n:Amt Ccy=\"EUR\">30.00</n:Amt><n:CdtDbtInd>CRDT</n:CdtDbtInd>{}\
         <n:BookgDt><n:Dt>2026-03-02</n:Dt></n:BookgDt><n:ValDt><n:Dt>2026-03-01</n:Dt></n:ValDt><n:AcctSvcrRef>R1</n:AcctSvcrRef>{code}\
         <n:NtryDtls><n:TxDtls><n:Refs><n:EndToEndId>E1</n:EndToEndId><n:MndtId>M1</n:MndtId></n:Refs>{amount}\
         <n:RltdPties><n:Dbtr>{}<n:Nm>Jansen &amp; Z&#111;on</n:Nm>{}</n:Dbtr><n:DbtrAcct><n:Id><n:IBAN>NL32RABO0195515500</n:IBAN></n:Id></n:DbtrAcct></n:RltdPties>\
         <n:RmtInf><n:Ustrd>Factuur</n:Ustrd><n:Ustrd><![CDATA[2026 <1>]]></n:Ustrd></n:RmtInf><n:RtrInf><n:Rsn><n:Cd>MD06</n:Cd></n:Rsn></n:RtrInf></n:TxDtls></n:NtryDtls></n:Ntry>",
        status("BOOK"),
        party[0],
        party[1]
    );
    let pending = format!(
        "<n:Ntry><n:Amt Ccy=\"EUR\">1.00</n:Amt><n:CdtDbtInd>CRDT</n:CdtDbtInd>{}{code}</n:Ntry>",
        status("PDNG")
    );
    document(version, &(entry + &pending), "CRDT", "20.00")
}

/// Writes a statement with a batch of two payments, 30.00 together.
pub(crate) fn with_batch(direction: &str, closing: &str) -> String {
    let part = |amount: &str, name: &str| {
        format!(
            "<n:TxDtls><n:Refs><n:EndToEndId>{name}</n:EndToEndId></n:Refs><n:AmtDtls><n:TxAmt><n:Amt Ccy=\"EUR\">{amount}</n:Amt></n:TxAmt></n:AmtDtls><n:RltdPties><n:Cdtr><n:Nm>{name}</n:Nm></n:Cdtr></n:RltdPties></n:TxDtls>"
        )
    };
    let entry = format!(
        "<n:Ntry><n:Amt Ccy=\"EUR\">30.00</n:Amt><n:CdtDbtInd>DBIT</n:CdtDbtInd><n:Sts>BOOK</n:Sts><n:BookgDt><n:Dt>2026-03-02</n:Dt></n:BookgDt><n:BkTxCd/><n:NtryDtls>{}{}</n:NtryDtls><n:AddtlNtryInf>Batch</n:AddtlNtryInf></n:Ntry>",
        part("10.00", "A"),
        part("20.00", "B")
    );
    document("02", &entry, direction, closing)
}
