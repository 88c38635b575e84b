//! `/kor`: the turnover of a year under the small businesses scheme (KOR).

use crate::{
    form::Form,
    frame::charts::{self, Fill},
    html::Html,
    page::Authenticated,
    submit::SUBMISSION,
    texts::Phrase,
};
use askama::Template;
use axum::{extract::RawQuery, response::Response};
use jiff::civil::Date;
use ledger::{decimal::Decimal, kor::KorKind};
use service::kor::{self, KorYear};
use web_core::problem::Problem;

#[derive(Template)]
#[template(path = "tax/kor.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    kor: KorYear,
}

impl View<'_> {
    fn meter(&self) -> Html {
        let is_above = self.kor.counted > self.kor.threshold;
        let fill = if is_above { Fill::Bad } else { Fill::Solid };
        charts::meter(&[(self.kor.counted.get(), fill)], self.kor.threshold.get(), None)
    }

    fn percent(&self) -> String {
        self.page.texts.percent(Decimal::from(self.kor.percent()))
    }

    fn kind(&self, kind: &KorKind) -> Phrase<'static> {
        let texts = self.page.texts;
        match kind {
            KorKind::Standard => texts.t("kor-kind-standard"),
            KorKind::Zero => texts.t("kor-kind-zero"),
            KorKind::ReverseCharge => texts.t("kor-kind-reverse-charge"),
            KorKind::EuGoods => texts.t("kor-kind-intra-community-goods"),
            KorKind::Export => texts.t("kor-kind-export"),
            KorKind::Kor => texts.t("kor-kind-kor"),
            KorKind::Article11Counted => texts.t("kor-kind-article11-counted"),
            KorKind::Article11 => texts.t("kor-kind-article11"),
            KorKind::EuServices => texts.t("kor-kind-intra-community-services"),
            KorKind::ServicesOutsideEu => texts.t("kor-kind-service-outside-eu"),
            KorKind::OutOfScope => texts.t("kor-kind-out-of-scope"),
            KorKind::Oss => texts.t("kor-kind-oss"),
        }
    }

    /// Text about the invoice with which the turnover exceeded the limit.
    fn passed(&self, (invoice, date): &(i64, Date)) -> String {
        let (texts, invoice) = (self.page.texts, invoice.to_string());
        let date = texts.date(*date);
        texts.t("kor-passed").with("invoice", &invoice).with("date", &date).into()
    }

    fn year(&self) -> String {
        self.kor.year.to_string()
    }
}

/// `GET /kor`
pub(super) async fn show(
    page: Authenticated,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    let cx = page.context();
    let year = raw
        .as_deref()
        .and_then(|raw| raw.strip_prefix("year="))
        .and_then(|year| year.parse().ok().filter(|year| (2000..=2099).contains(year)));
    let kor = page.list(move |tx| kor::read(tx, &cx, year)).await?;
    let form = Form::of([(SUBMISSION, page.new_submission()?)]);
    page.show(&View { page: &page, form: &form, kor })
}
