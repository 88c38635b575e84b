//! Numbers of documents in texts.
//!
//! A text is split into groups of digits and groups of letters. A number is found where consecutive
//! groups spell it: case, blanks, `-`, `.`, `/` and zeros in front do not count, and a group of
//! digits is never cut, so `28` is not found in `281`.

use std::collections::HashMap;

/// Maximum number of consecutive groups that form one number.
const MOST_GROUPS: usize = 8;
/// Number of significant digits from which a number is recognised without further evidence.
const STRONG_DIGITS: usize = 5;
/// Number of digits from which a number is recognised between `-`, `.` or `/` and other digits.
const LONG_DIGITS: usize = 6;
/// Words before a number, by which a short number is recognised too.
const CUES: [&str; 20] = [
    "FACTUUR",
    "FACTUURNR",
    "FACTUURNUMMER",
    "FACTNR",
    "FACT",
    "FAC",
    "FCT",
    "FN",
    "INVOICE",
    "INV",
    "NOTA",
    "NOTANR",
    "NR",
    "NO",
    "NUMMER",
    "REKENING",
    "CREDITNOTA",
    "CREDITFACTUUR",
    "REF",
    "KENMERK",
];

/// Characters between two groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    /// None: a letter is followed by a digit, or the reverse.
    Joined,
    /// `-`, `.` or `/` only.
    Separator,
    /// Blanks, and perhaps separators.
    Blank,
    /// Anything else, and the beginning of the text.
    Other,
}

/// Letters or digits without anything between them.
#[derive(Debug)]
struct Group {
    text: String,
    is_digits: bool,
    /// Gap in front.
    gap: Gap,
    /// Whether `#` or a word such as "invoice" is in front.
    has_cue: bool,
    /// Whether a comma and two digits follow: the group is the end of an amount.
    has_cents: bool,
    /// Whether the group is part of a date.
    is_date: bool,
}

fn groups(text: &str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut gap = Gap::Other;
    let mut has_mark = false;
    for c in text.chars() {
        if !c.is_alphanumeric() {
            gap = match (gap, c) {
                (Gap::Other, _) => Gap::Other,
                (Gap::Joined | Gap::Separator, '-' | '.' | '/') => Gap::Separator,
                (_, '-' | '.' | '/') => Gap::Blank,
                (_, c) if c.is_whitespace() => Gap::Blank,
                _ => Gap::Other,
            };
            has_mark |= c == '#';
            if c == ','
                && let Some(last) = groups.last_mut()
            {
                // Confirmed below, by two digits.
                last.has_cents = last.is_digits;
            }
            continue;
        }
        let is_digits = c.is_ascii_digit();
        let continues =
            gap == Gap::Joined && groups.last().is_some_and(|g| g.is_digits == is_digits);
        if !continues {
            groups.push(Group {
                text: String::new(),
                is_digits,
                gap,
                has_cue: has_mark,
                has_cents: false,
                is_date: false,
            });
            has_mark = false;
        }
        if let Some(last) = groups.last_mut() {
            last.text.extend(c.to_uppercase());
        }
        gap = Gap::Joined;
    }
    mark(&mut groups);
    groups
}

/// Marks dates, amounts and cues.
fn mark(groups: &mut [Group]) {
    for index in 0..groups.len() {
        let next = groups.get(index + 1);
        let has_cents = groups[index].has_cents
            && next.is_some_and(|next| next.is_digits && next.text.len() == 2);
        groups[index].has_cents = has_cents;
        if index > 0 && !groups[index - 1].is_digits {
            groups[index].has_cue |= CUES.iter().any(|cue| groups[index - 1].text == **cue);
        }
        if is_date(&groups[index..]) {
            groups[index..index + 3].iter_mut().for_each(|group| group.is_date = true);
        }
    }
}

/// Whether three groups form a date such as 2026-03-31 or 31/3/26.
fn is_date(groups: &[Group]) -> bool {
    let [first, second, third, ..] = groups else { return false };
    let value = |group: &Group, most: u16| {
        let short = group.text.len() <= 2 && group.is_digits;
        short && group.text.parse::<u16>().is_ok_and(|number| (1..=most).contains(&number))
    };
    let is_year =
        |group: &Group| group.is_digits && (is_year(&group.text) || group.text.len() == 2);
    let is_joined = |group: &Group| group.gap == Gap::Separator;
    is_joined(second)
        && is_joined(third)
        && value(second, 12)
        && ((is_year(first) && value(third, 31)) || (value(first, 31) && is_year(third)))
}

fn is_year(digits: &str) -> bool {
    digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"))
}

fn without_zeros(digits: &str) -> &str {
    digits.trim_start_matches('0')
}

/// Appends a group to a key; zeros in front of the key are dropped.
fn join(key: &mut String, group: &Group) {
    let is_first = key.is_empty();
    key.push_str(if is_first && group.is_digits {
        without_zeros(&group.text)
    } else {
        &group.text
    });
}

/// Appends a group to a key whose groups of digits are apart, each without zeros in front.
fn join_apart(key: &mut String, group: &Group, after_digits: bool) {
    if after_digits && group.is_digits {
        key.push('|');
    }
    key.push_str(if group.is_digits { without_zeros(&group.text) } else { &group.text });
}

/// Number in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// Index of the document, as passed to [`Numbers::add`].
    document: u32,
    /// Index of the number in the list of the document.
    place: u32,
    /// Whether the number has few digits and no letters.
    is_weak: bool,
    /// Number of digits as written in the books, zeros included.
    digits: u32,
}

/// Occurrence of a number in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Index of the document.
    pub(crate) document: u32,
    /// Index of the number in the list of the document.
    pub(crate) place: u32,
    /// Whether the occurrence counts only together with other evidence.
    pub(crate) is_weak: bool,
}

/// Index of the numbers of documents.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    entries: HashMap<String, Vec<Entry>>,
    /// Length of the longest key.
    longest: usize,
}

impl Numbers {
    /// Adds a number. Years alone, and numbers without digits, are never found.
    pub(crate) fn add(&mut self, number: &str, document: u32, place: u32) {
        let groups = groups(number);
        self.add_groups(&groups, document, place);
        // Users often leave out the letters in front.
        if let [first, rest @ ..] = &groups[..]
            && !first.is_digits
            && rest.first().is_some_and(|second| second.is_digits)
        {
            self.add_groups(rest, document, place);
        }
    }

    fn add_groups(&mut self, groups: &[Group], document: u32, place: u32) {
        let mut key = String::new();
        groups.iter().for_each(|group| join(&mut key, group));
        let digits: usize = groups.iter().filter(|g| g.is_digits).map(|g| g.text.len()).sum();
        let has_letters = groups.iter().any(|group| !group.is_digits);
        if digits == 0 || key.is_empty() || groups.len() > MOST_GROUPS || is_year(&key) {
            return;
        }
        let is_weak = !has_letters && key.len() < STRONG_DIGITS || key.len() < 3;
        let digits = u32::try_from(digits).unwrap_or(u32::MAX);
        let entry = Entry { document, place, is_weak, digits };
        if groups.iter().filter(|group| group.is_digits).count() > 1 {
            let mut apart = String::new();
            let mut after_digits = false;
            for group in groups {
                join_apart(&mut apart, group, after_digits);
                after_digits = group.is_digits;
            }
            self.insert(apart, Entry { is_weak: false, ..entry });
        }
        self.insert(key, entry);
    }

    fn insert(&mut self, key: String, entry: Entry) {
        self.longest = self.longest.max(key.len());
        let entries = self.entries.entry(key).or_default();
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }

    /// Calls `report` for each occurrence of a number; the same number may be reported twice.
    pub(crate) fn find(&self, text: &str, mut report: impl FnMut(Found)) {
        let groups = groups(text);
        let (mut key, mut apart) = (String::new(), String::new());
        for start in 0..groups.len() {
            key.clear();
            apart.clear();
            let (mut has_blank, mut has_digits) = (false, false);
            for end in start..groups.len().min(start + MOST_GROUPS) {
                let group = &groups[end];
                if end > start && group.gap == Gap::Other {
                    break;
                }
                has_blank |= end > start && group.gap == Gap::Blank;
                join_apart(&mut apart, group, end > start && groups[end - 1].is_digits);
                join(&mut key, group);
                if key.len().min(apart.len()) > self.longest {
                    break;
                }
                has_digits |= group.is_digits;
                let span = Span { groups: &groups, start, end };
                if !has_digits || span.is_cut() {
                    continue;
                }
                self.look_up(&key, &span, &mut report);
                if !has_blank && apart != key {
                    self.look_up(&apart, &span, &mut report);
                }
            }
        }
    }

    fn look_up(&self, key: &str, span: &Span<'_>, report: &mut impl FnMut(Found)) {
        for entry in self.entries.get(key).map_or(&[][..], Vec::as_slice) {
            if span.is_part_of_longer(entry) {
                continue;
            }
            let is_whole = entry.digits >= 4 && span.digits() == entry.digits as usize;
            let has_cue = span.groups[span.start].has_cue;
            let is_short = key.len() < 3;
            if is_short && !has_cue && !is_whole {
                continue;
            }
            let is_weak = entry.is_weak && !has_cue || span.is_date();
            report(Found { document: entry.document, place: entry.place, is_weak });
        }
    }
}

/// Consecutive groups of a text, `end` included.
struct Span<'g> {
    groups: &'g [Group],
    start: usize,
    end: usize,
}

impl Span<'_> {
    /// Whether the span is the end of an amount, or a part of a date.
    fn is_cut(&self) -> bool {
        let inside = &self.groups[self.start..=self.end];
        let dates = inside.iter().filter(|group| group.is_date).count();
        self.groups[self.end].has_cents || (dates > 0 && (dates != inside.len() || dates % 3 != 0))
    }

    fn is_date(&self) -> bool {
        self.groups[self.start..=self.end].iter().all(|group| group.is_date)
    }

    fn digits(&self) -> usize {
        let inside = &self.groups[self.start..=self.end];
        inside.iter().filter(|group| group.is_digits).map(|group| group.text.len()).sum()
    }

    /// Whether other digits adjoin a short number, with only `-`, `.` or `/` between.
    fn is_part_of_longer(&self, entry: &Entry) -> bool {
        if entry.digits as usize >= LONG_DIGITS {
            return false;
        }
        let (first, last) = (&self.groups[self.start], &self.groups[self.end]);
        let before = self.start.checked_sub(1).map(|index| &self.groups[index]);
        let after = self.groups.get(self.end + 1);
        let adjoins = |gap: Gap, own: &Group, other: Option<&Group>| {
            gap == Gap::Separator && own.is_digits && other.is_some_and(|other| other.is_digits)
        };
        adjoins(first.gap, first, before)
            || after.is_some_and(|after| adjoins(after.gap, last, Some(after)))
    }
}

/// Returns the letter of an assessment number such as `1234.56.789.B.01.6210`: nine digits, a letter
/// of the tax, and digits.
pub(crate) fn assessment_letter(text: &str) -> Option<char> {
    let groups = groups(text);
    (0..groups.len()).find_map(|start| {
        let mut digits = 0;
        for (index, group) in groups.iter().enumerate().skip(start) {
            if !group.is_digits || index > start && group.gap == Gap::Other {
                return None;
            }
            digits += group.text.len();
            if digits < 9 {
                continue;
            }
            let [letter, number, ..] = groups.get(index + 1..)? else { return None };
            let is_one = digits == 9 && letter.gap != Gap::Other && letter.text.len() == 1;
            let has_number = number.is_digits && number.gap != Gap::Other;
            return (is_one && has_number).then(|| letter.text.chars().next()).flatten();
        }
        None
    })
}

#[cfg(test)]
mod tests;
