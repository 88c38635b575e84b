//! Data sets as CSV (RFC 4180): UTF-8, a header row, lines that end in CR LF.

use ledger::language::Language;
use tax::dataset::{Dataset, Selection};

/// Returns the selected rows; an absent value is an empty field.
pub(super) fn dataset(
    dataset: &Dataset,
    selection: Selection,
    language: Language,
) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::with_capacity(16 * 1024));
    writer.write_record(dataset.columns.iter().map(|column| column.name.as_str()))?;
    for row in dataset.select(selection) {
        let fields = row
            .values()
            .iter()
            .map(|value| value.as_ref().map(|value| value.plain(language)).unwrap_or_default());
        writer.write_record(fields.map(|field| field.into_owned()))?;
    }
    writer.into_inner().map_err(|unwritten| unwritten.into_error().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_every_data_set_can_be_read_back() {
        for set in tax::dataset::all() {
            let bytes = dataset(set, Selection::All, Language::English).unwrap();
            let mut reader = csv::Reader::from_reader(&bytes[..]);
            assert_eq!(reader.headers().unwrap().len(), set.columns.len(), "{}", set.id);
            assert_eq!(
                reader.records().map(Result::unwrap).count(),
                set.rows().len(),
                "{}",
                set.id
            );
        }
    }
}
