//! Difference between two lists of lines, for the failure message of a case.

/// Compares two lists of lines, ignoring spaces around cells. The result prefixes lines found in
/// both lists with a space, lines found only in `expected` with `-`, and lines found only in
/// `actual` with `+`. `None` if the lists are equal.
pub(crate) fn between(expected: &[String], actual: &[String]) -> Option<String> {
    let is_same = |one: usize, other: usize| plain(&expected[one]) == plain(&actual[other]);
    // `common[one][other]` is the length of the longest common subsequence of `expected[one..]` and
    // `actual[other..]`.
    let mut common = vec![vec![0_usize; actual.len() + 1]; expected.len() + 1];
    for one in (0..expected.len()).rev() {
        for other in (0..actual.len()).rev() {
            let skipping = common[one + 1][other].max(common[one][other + 1]);
            common[one][other] =
                if is_same(one, other) { common[one + 1][other + 1] + 1 } else { skipping };
        }
    }
    if common[0][0] == expected.len() && expected.len() == actual.len() {
        return None;
    }
    let mut shown = String::new();
    let (mut one, mut other) = (0, 0);
    while one < expected.len() || other < actual.len() {
        let both = one < expected.len() && other < actual.len();
        let (mark, line) = if both && is_same(one, other) {
            (one, other) = (one + 1, other + 1);
            (' ', &actual[other - 1])
        } else if one < expected.len()
            && (!both || common[one + 1][other] >= common[one][other + 1])
        {
            one += 1;
            ('-', &expected[one - 1])
        } else {
            other += 1;
            ('+', &actual[other - 1])
        };
        shown.push(mark);
        shown.push(' ');
        shown.push_str(line);
        shown.push('\n');
    }
    Some(shown)
}

/// Returns the cells of a line without the spaces around them.
fn plain(line: &str) -> Vec<&str> {
    line.trim().split('|').map(str::trim).collect()
}
