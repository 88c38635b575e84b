//! What is wrong with a parameter of a calculator or of a selection, and what to do about it.

use crate::words::Words;

/// A fault in one parameter. Codes are those of the API's field faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The parameter, as the query names it.
    pub parameter: String,
    /// The stable code, such as `out_of_range`.
    pub code: &'static str,
    /// What to do, in both languages.
    pub message: Words,
    /// The least and the most that are taken, or the first and the last of the values there are, as a query writes them.
    pub bounds: Option<Box<Bounds>>,
    /// All values there are, where they can be listed.
    pub known: Vec<String>,
}

/// The least and the most of a parameter, both inclusive, as a query writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The least.
    pub least: String,
    /// The most.
    pub most: String,
}

impl Fault {
    /// A fault without bounds.
    #[must_use]
    pub fn new(parameter: &str, code: &'static str, message: Words) -> Self {
        // A parameter's name may be whatever somebody typed.
        let parameter = parameter.chars().take(100).collect();
        Self { parameter, code, message, bounds: None, known: Vec::new() }
    }

    /// With the bounds that the message names.
    #[must_use]
    pub fn with_bounds(self, least: impl ToString, most: impl ToString) -> Self {
        Self { bounds: Some(Box::new(Bounds { least: least.to_string(), most: most.to_string() })), ..self }
    }

    /// With the values that there are.
    #[must_use]
    pub fn with_known(self, known: Vec<String>) -> Self {
        Self { known, ..self }
    }

    /// Nothing was given.
    #[must_use]
    pub fn required(parameter: &str) -> Self {
        Self::new(parameter, "required", Words::owned("Vul dit in.".to_owned(), format!("Give {parameter}.")))
    }

    /// Beyond the bounds.
    #[must_use]
    pub fn out_of_range(parameter: &str, least: impl ToString, most: impl ToString) -> Self {
        let (least, most) = (least.to_string(), most.to_string());
        let words = Words::owned(
            format!("Geef een waarde van {least} tot en met {most}."),
            format!("Give a value from {least} to {most} for {parameter}."),
        );
        Self::new(parameter, "out_of_range", words).with_bounds(least, most)
    }

    /// Not one of the values there are.
    #[must_use]
    pub fn unknown_value(parameter: &str, known: Vec<String>) -> Self {
        let list = known.join(", ");
        let words = Words::owned(format!("Geef een van: {list}."), format!("Give one of these for {parameter}: {list}."));
        Self::new(parameter, "unknown_value", words).with_known(known)
    }

    /// No figures for that year.
    #[must_use]
    pub fn unknown_year(parameter: &str, years: &[i16]) -> Self {
        let known: Vec<String> = years.iter().map(ToString::to_string).collect();
        let list = known.join(", ");
        let words = Words::owned(
            format!("Voor dat jaar zijn er geen cijfers die vaststaan. Geef een van: {list}."),
            format!("There are no settled figures for that year. Give one of these for {parameter}: {list}."),
        );
        Self::new(parameter, "unknown_value", words).with_known(known)
    }

    /// A year of which nothing is known, where what holds from `first` on still holds.
    #[must_use]
    pub fn year_before(parameter: &str, first: i16) -> Self {
        let words = Words::owned(
            format!("Geef een jaar van {first} tot en met 2099; wat nu geldt, staat ook bij de jaren die komen."),
            format!("Give a year from {first} to 2099 for {parameter}; what holds now is listed for the years to come too."),
        );
        Self::new(parameter, "unknown_value", words).with_bounds(first, 2099)
    }

    /// Not a calendar day.
    #[must_use]
    pub fn invalid_date(parameter: &str) -> Self {
        let words = Words::owned(
            "Geef een bestaande dag als JJJJ-MM-DD, van 2000-01-01 tot en met 2099-12-31.".to_owned(),
            format!("Give a day that exists for {parameter}, as YYYY-MM-DD, from 2000-01-01 to 2099-12-31."),
        );
        Self::new(parameter, "invalid_date", words).with_bounds("2000-01-01", "2099-12-31")
    }
}
