use super::*;
use jiff::civil::date;

fn iban(text: &str) -> Iban {
    Iban::parse(text).unwrap()
}

fn payment(id: &str, name: &str, amount: i64, remittance: Remittance) -> Payment {
    Payment {
        end_to_end_id: id.to_owned(),
        payee: Party { name: name.to_owned(), iban: iban("NL02ABNA0123456789"), bic: None },
        amount: Cents::new(amount),
        remittance,
    }
}

fn file(payments: Vec<Payment>) -> PaymentFile {
    PaymentFile {
        message_id: "GB12-20261128".to_owned(),
        created_at: date(2026, 11, 28).at(9, 5, 7, 0),
        payer: Party {
            name: "Studio Zoë".to_owned(), iban: iban("NL91ABNA0417164300"), bic: None
        },
        execution_date: date(2026, 12, 1),
        payments,
    }
}

const TRANSACTIONS: &str = "   <CdtTrfTxInf>
    <PmtId>
     <EndToEndId>GB12-1</EndToEndId>
    </PmtId>
    <Amt>
     <InstdAmt Ccy=\"EUR\">1210.00</InstdAmt>
    </Amt>
    <Cdtr>
     <Nm>Bakker + Zn.</Nm>
    </Cdtr>
    <CdtrAcct>
     <Id>
      <IBAN>NL02ABNA0123456789</IBAN>
     </Id>
    </CdtrAcct>
    <RmtInf>
     <Strd>
      <CdtrRefInf>
       <Tp>
        <CdOrPrtry>
         <Cd>SCOR</Cd>
        </CdOrPrtry>
        <Issr>CUR</Issr>
       </Tp>
       <Ref>2036000016301110</Ref>
      </CdtrRefInf>
     </Strd>
    </RmtInf>
   </CdtTrfTxInf>
   <CdtTrfTxInf>
    <PmtId>
     <EndToEndId>GB12-2</EndToEndId>
    </PmtId>
    <Amt>
     <InstdAmt Ccy=\"EUR\">0.01</InstdAmt>
    </Amt>
    <CdtrAgt>
     <FinInstnId>
      <BICFI>ABNANL2A</BICFI>
     </FinInstnId>
    </CdtrAgt>
    <Cdtr>
     <Nm>KPN</Nm>
    </Cdtr>
    <CdtrAcct>
     <Id>
      <IBAN>NL02ABNA0123456789</IBAN>
     </Id>
    </CdtrAcct>
    <RmtInf>
     <Ustrd>Factuur (7) Cafe</Ustrd>
    </RmtInf>
   </CdtTrfTxInf>
";

fn two_payments() -> PaymentFile {
    let reference = Remittance::of(Some("2036 0000 1630 1110"), "");
    let text = Remittance::Text("Factuur <7> Café".to_owned());
    let mut payments = vec![
        payment("GB12-1", "Bakker & Zn.", 121_000, reference),
        payment("GB12-2", "KPN", 1, text),
    ];
    payments[1].payee.bic = Some("ABNANL2A".to_owned());
    file(payments)
}

#[test]
fn a_file_of_version_9_has_exactly_these_elements() {
    let bytes = write(&two_payments(), Version::V09).unwrap();
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:pain.001.001.09\">
 <CstmrCdtTrfInitn>
  <GrpHdr>
   <MsgId>GB12-20261128</MsgId>
   <CreDtTm>2026-11-28T09:05:07</CreDtTm>
   <NbOfTxs>2</NbOfTxs>
   <CtrlSum>1210.01</CtrlSum>
   <InitgPty>
    <Nm>Studio Zoe</Nm>
   </InitgPty>
  </GrpHdr>
  <PmtInf>
   <PmtInfId>GB12-20261128</PmtInfId>
   <PmtMtd>TRF</PmtMtd>
   <BtchBookg>false</BtchBookg>
   <NbOfTxs>2</NbOfTxs>
   <CtrlSum>1210.01</CtrlSum>
   <PmtTpInf>
    <SvcLvl>
     <Cd>SEPA</Cd>
    </SvcLvl>
   </PmtTpInf>
   <ReqdExctnDt>
    <Dt>2026-12-01</Dt>
   </ReqdExctnDt>
   <Dbtr>
    <Nm>Studio Zoe</Nm>
   </Dbtr>
   <DbtrAcct>
    <Id>
     <IBAN>NL91ABNA0417164300</IBAN>
    </Id>
   </DbtrAcct>
   <DbtrAgt>
    <FinInstnId>
     <Othr>
      <Id>NOTPROVIDED</Id>
     </Othr>
    </FinInstnId>
   </DbtrAgt>
   <ChrgBr>SLEV</ChrgBr>
";
    let tail = "  </PmtInf>\n </CstmrCdtTrfInitn>\n</Document>\n";
    assert_eq!(String::from_utf8(bytes).unwrap(), format!("{head}{TRANSACTIONS}{tail}"));
}

#[test]
fn version_3_differs_in_namespace_date_and_bic() {
    let text = |version| String::from_utf8(write(&two_payments(), version).unwrap()).unwrap();
    let expected = text(Version::V09)
        .replace("pain.001.001.09", "pain.001.001.03")
        .replace(
            "<ReqdExctnDt>\n    <Dt>2026-12-01</Dt>\n   </ReqdExctnDt>",
            "<ReqdExctnDt>2026-12-01</ReqdExctnDt>",
        )
        .replace("BICFI", "BIC");
    assert_eq!(text(Version::V03), expected);
}

#[test]
fn names_and_texts_are_cut_and_a_blank_text_is_absent() {
    let long = Remittance::Text("é".repeat(200));
    let file = file(vec![
        payment("GB1-1", &"n".repeat(100), 1, long),
        payment("GB1-2", "A", 1, Remittance::Text(" ".to_owned())),
    ]);
    let text = String::from_utf8(write(&file, Version::V09).unwrap()).unwrap();
    assert!(text.contains(&format!("<Nm>{}</Nm>", "n".repeat(70))));
    assert!(text.contains(&format!("<Ustrd>{}</Ustrd>", "e".repeat(140))));
    assert_eq!(text.matches("<RmtInf>").count(), 1);
}

#[test]
fn an_iso_reference_names_its_issuer() {
    let reference = Remittance::of(Some("RF18 5390 0754 7034"), "");
    let file = file(vec![payment("GB1-1", "A", 1, reference)]);
    let text = String::from_utf8(write(&file, Version::V09).unwrap()).unwrap();
    assert!(text.contains("<Issr>ISO</Issr>\n       </Tp>\n       <Ref>RF18539007547034</Ref>"));
}

#[test]
fn values_that_a_bank_rejects_are_refused() {
    let one = |change: fn(&mut PaymentFile)| {
        let mut file = two_payments();
        change(&mut file);
        write(&file, Version::V09)
    };
    for (change, error) in [
        ((|file| file.payments.clear()) as fn(&mut PaymentFile), PaymentFileError::Empty),
        (|file| file.message_id = "GB 1".into(), PaymentFileError::MessageId),
        (|file| file.payer.name = "王".into(), PaymentFileError::PayerName),
        (|file| file.payer.bic = Some("ABNA".into()), PaymentFileError::Bic(None)),
        (|file| file.payments[1].amount = Cents::ZERO, PaymentFileError::Amount(1)),
        (|file| file.payments[0].amount = Cents::new(-1), PaymentFileError::Amount(0)),
        (|file| file.payments[0].amount = MOST + Cents::new(1), PaymentFileError::Amount(0)),
        (|file| file.payments[1].payee.name = " - ".into(), PaymentFileError::PayeeName(1)),
        (
            |file| file.payments[1].payee.bic = Some("abnanl2a".into()),
            PaymentFileError::Bic(Some(1)),
        ),
        (|file| file.payments[1].end_to_end_id = "GB12-1".into(), PaymentFileError::EndToEndId(1)),
        (|file| file.payments[1].end_to_end_id = "GB//1".into(), PaymentFileError::EndToEndId(1)),
    ] {
        assert_eq!(one(change), Err(error));
    }
    assert!(one(|file| file.payments[0].amount = MOST).is_ok());
    assert!(sepa::is_identifier(&end_to_end_id(i64::MAX, 500)));
}
