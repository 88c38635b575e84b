//! Names of elements.

/// Declares the elements by variant and local name.
macro_rules! tags {
    ($($variant:ident $name:literal,)*) => {
        /// Element that the reader distinguishes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Tag {
            $(
                #[doc = concat!("`", $name, "`")]
                $variant,
            )*
            /// Any other element.
            Other,
        }

        impl Tag {
            /// Returns the element with a local name.
            pub(super) fn of(name: &str) -> Self {
                match name {
                    $($name => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

tags! {
    Acct "Acct",
    AcctSvcrRef "AcctSvcrRef",
    AddtlNtryInf "AddtlNtryInf",
    AddtlRmtInf "AddtlRmtInf",
    AddtlTxInf "AddtlTxInf",
    Amt "Amt",
    AmtDtls "AmtDtls",
    Bal "Bal",
    BkTxCd "BkTxCd",
    BookgDt "BookgDt",
    Ccy "Ccy",
    CcyXchg "CcyXchg",
    Cd "Cd",
    CdOrPrtry "CdOrPrtry",
    Cdtr "Cdtr",
    CdtrAcct "CdtrAcct",
    CdtrRefInf "CdtrRefInf",
    CdtDbtInd "CdtDbtInd",
    CntrValAmt "CntrValAmt",
    Dbtr "Dbtr",
    DbtrAcct "DbtrAcct",
    Domn "Domn",
    Dt "Dt",
    DtTm "DtTm",
    ElctrncSeqNb "ElctrncSeqNb",
    EndToEndId "EndToEndId",
    Fmly "Fmly",
    FrDtTm "FrDtTm",
    FrToDt "FrToDt",
    Iban "IBAN",
    Id "Id",
    InstdAmt "InstdAmt",
    LglSeqNb "LglSeqNb",
    MndtId "MndtId",
    Nm "Nm",
    Ntry "Ntry",
    NtryDtls "NtryDtls",
    Othr "Othr",
    Prtry "Prtry",
    Pty "Pty",
    Ref "Ref",
    Refs "Refs",
    RltdPties "RltdPties",
    RmtInf "RmtInf",
    Rsn "Rsn",
    RtrInf "RtrInf",
    Stmt "Stmt",
    Strd "Strd",
    Sts "Sts",
    SubFmlyCd "SubFmlyCd",
    ToDtTm "ToDtTm",
    Tp "Tp",
    TxAmt "TxAmt",
    TxDtls "TxDtls",
    UltmtCdtr "UltmtCdtr",
    UltmtDbtr "UltmtDbtr",
    Ustrd "Ustrd",
    ValDt "ValDt",
    XchgRate "XchgRate",
}
