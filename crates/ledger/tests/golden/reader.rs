//! Reader of the files: cases, documents, and the fields and tables of each document.

use ledger::calendar::{Date, parse_date};

/// Value, or a fault in the input with its line number.
pub(crate) type Read<T> = Result<T, String>;

/// Case in a file.
#[derive(Debug)]
pub(crate) struct Case {
    /// Rule that the case demonstrates.
    pub(crate) title: String,
    /// Law or published example that prescribes the figures.
    pub(crate) source: String,
    /// Line number of the title, from 1.
    pub(crate) line: usize,
    /// Fields before the first document, such as `scheme`.
    pub(crate) settings: Fields,
    /// Documents in the order of booking.
    pub(crate) documents: Vec<Document>,
    /// Expected lines.
    pub(crate) expected: Vec<String>,
    /// Position of the expected lines in the file: index of the first, and of the line after the
    /// last.
    place: (usize, usize),
}

/// Document or event, with the fields and rows below it.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// Kind, such as `invoice`.
    pub(crate) kind: String,
    /// Date.
    pub(crate) on: Date,
    /// Fields.
    pub(crate) fields: Fields,
    /// Rows of the document's table.
    pub(crate) rows: Vec<Fields>,
}

/// Keys with their values. Taking a value removes its key, so that unknown keys are left over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    line: usize,
    values: Vec<(String, String, usize)>,
}

impl Fields {
    fn put(&mut self, key: &str, value: &str, line: usize) -> Read<()> {
        if self.values.iter().any(|(known, ..)| known == key) {
            return Err(format!("line {line}: `{key}` occurs twice"));
        }
        self.values.push((key.to_owned(), value.to_owned(), line));
        Ok(())
    }

    /// Takes the value of a key as text.
    pub(crate) fn text(&mut self, key: &str) -> Option<String> {
        let place = self.values.iter().position(|(known, ..)| known == key)?;
        Some(self.values.remove(place).1)
    }

    /// Takes and parses the value of a key.
    pub(crate) fn optional<T>(
        &mut self,
        key: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Read<Option<T>> {
        let Some(text) = self.text(key) else { return Ok(None) };
        parse(&text)
            .map(Some)
            .ok_or_else(|| self.fault(&format!("`{text}` is not a value of `{key}`")))
    }

    /// Like [`Fields::optional`], for a key that must exist.
    pub(crate) fn required<T>(
        &mut self,
        key: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Read<T> {
        self.optional(key, parse)?.ok_or_else(|| self.fault(&format!("`{key}` is missing")))
    }

    /// Returns a fault with the line number of the document or row.
    pub(crate) fn fault(&self, text: &str) -> String {
        format!("line {}: {text}", self.line)
    }

    /// Rejects keys that were not taken.
    pub(crate) fn finish(&self) -> Read<()> {
        match self.values.first() {
            Some((key, _, line)) => Err(format!("line {line}: unknown key `{key}`")),
            None => Ok(()),
        }
    }
}

/// Reads the cases of a file.
pub(crate) fn read(text: &str) -> Read<Vec<Case>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut cases = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if is_blank(lines[at]) {
            at += 1;
            continue;
        }
        let case = read_case(&lines, at)?;
        at = case.place.1;
        cases.push(case);
    }
    Ok(cases)
}

/// Whether a line is empty or a comment.
fn is_blank(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

fn read_case(lines: &[&str], first: usize) -> Read<Case> {
    let title = lines[first]
        .strip_prefix("case:")
        .ok_or(format!("line {}: a case begins with `case:`", first + 1))?;
    let mut settings = Fields { line: first + 1, ..Fields::default() };
    let (mut documents, mut columns) = (Vec::<Document>::new(), Vec::new());
    let mut at = first + 1;
    while let Some(line) = lines.get(at).filter(|line| **line != "expected:") {
        let number = at + 1;
        at += 1;
        if is_blank(line) {
            continue;
        }
        let (is_indented, is_first) = (line.starts_with(' '), documents.is_empty());
        match (documents.last_mut().filter(|_| is_indented), line.trim().strip_prefix('|')) {
            (Some(document), Some(cells)) => read_row(document, &mut columns, cells, number)?,
            (Some(document), None) => put(&mut document.fields, line, number)?,
            (None, _) if is_first && line.contains(": ") => put(&mut settings, line, number)?,
            (None, _) => {
                columns = Vec::new();
                documents.push(read_head(line, number)?);
            }
        }
    }
    if at == lines.len() {
        return Err(format!("line {}: the case has no `expected:`", first + 1));
    }
    let begin = at + 1;
    let rest = &lines[begin..];
    let length = rest
        .iter()
        .position(|line| line.starts_with("case:") || line.starts_with('#'))
        .unwrap_or(rest.len());
    let expected = rest[..length]
        .iter()
        .map(|line| line.trim_end().to_owned())
        .filter(|line| !line.is_empty())
        .collect();
    let source = settings.text("source").unwrap_or_default();
    let place = (begin, begin + length);
    Ok(Case {
        title: title.trim().to_owned(),
        source,
        line: first + 1,
        settings,
        documents,
        expected,
        place,
    })
}

fn put(fields: &mut Fields, line: &str, number: usize) -> Read<()> {
    let (key, value) = line
        .split_once(':')
        .ok_or(format!("line {number}: `key: value` or a row of a table is missing"))?;
    fields.put(key.trim(), value.trim(), number)
}

/// Reads the first line of a document: its kind and date.
fn read_head(line: &str, number: usize) -> Read<Document> {
    let (kind, date) = line
        .rsplit_once(' ')
        .ok_or(format!("line {number}: a document begins with its kind and date"))?;
    let on = parse_date(date).map_err(|_| format!("line {number}: `{date}` is not a date"))?;
    Ok(Document {
        kind: kind.to_owned(),
        on,
        fields: Fields { line: number, ..Fields::default() },
        rows: Vec::new(),
    })
}

/// Reads a row of a table; the first row of a table names the columns.
fn read_row(
    document: &mut Document,
    columns: &mut Vec<String>,
    cells: &str,
    number: usize,
) -> Read<()> {
    let cells: Vec<&str> =
        cells.trim_end().trim_end_matches('|').split('|').map(str::trim).collect();
    if columns.is_empty() {
        *columns = cells.into_iter().map(str::to_owned).collect();
        return Ok(());
    }
    if cells.len() != columns.len() {
        return Err(format!(
            "line {number}: the row has {} cells, and the table {} columns",
            cells.len(),
            columns.len()
        ));
    }
    let mut row = Fields { line: number, ..Fields::default() };
    for (column, cell) in columns.iter().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
        row.put(column, cell, number)?;
    }
    document.rows.push(row);
    Ok(())
}

/// Returns the text of a file with the expected lines of each case replaced by its outcome.
pub(crate) fn rewritten(text: &str, cases: &[Case], outcomes: &[Vec<String>]) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut written: Vec<&str> = Vec::new();
    let mut from = 0;
    for (case, outcome) in cases.iter().zip(outcomes) {
        let (begin, end) = case.place;
        written.extend(&lines[from..begin]);
        written.extend(outcome.iter().map(String::as_str));
        if end < lines.len() {
            written.push("");
        }
        from = end;
    }
    written.extend(&lines[from..]);
    written.join("\n") + "\n"
}
