//! Faults in the parameters of a calculator or a selection, with advice on how to fix them.

use crate::words::Words;

/// A fault in one parameter. The codes are those of the API's field faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Name of the parameter in the query.
    pub parameter: String,
    /// Stable code, such as `out_of_range`.
    pub code: &'static str,
    /// Advice, in both languages.
    pub message: Words,
    /// Minimum and maximum, or first and last valid value, written as in a query.
    pub bounds: Option<Box<Bounds>>,
    /// All valid values, if they can be listed.
    pub known: Vec<String>,
}

/// Inclusive bounds of a parameter, written as in a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Minimum.
    pub least: String,
    /// Maximum.
    pub most: String,
}

impl Fault {
    /// Creates a fault without bounds.
    #[must_use]
    pub fn new(parameter: &str, code: &'static str, message: Words) -> Self {
        // Truncated, because an unknown name may be arbitrary client input.
        let parameter = parameter.chars().take(100).collect();
        Self { parameter, code, message, bounds: None, known: Vec::new() }
    }

    /// Adds the bounds, which the message already names.
    #[must_use]
    pub fn with_bounds(self, least: impl ToString, most: impl ToString) -> Self {
        Self {
            bounds: Some(Box::new(Bounds { least: least.to_string(), most: most.to_string() })),
            ..self
        }
    }

    /// Adds the valid values.
    #[must_use]
    pub fn with_known(self, known: Vec<String>) -> Self {
        Self { known, ..self }
    }

    /// Creates the fault for a missing parameter.
    #[must_use]
    pub fn required(parameter: &str) -> Self {
        Self::new(
            parameter,
            "required",
            Words::owned("Vul dit in.".to_owned(), format!("Give {parameter}.")),
        )
    }

    /// Creates the fault for a value out of bounds.
    #[must_use]
    pub fn out_of_range(parameter: &str, least: impl ToString, most: impl ToString) -> Self {
        let (least, most) = (least.to_string(), most.to_string());
        let words = Words::owned(
            format!("Geef een waarde van {least} tot en met {most}."),
            format!("Give a value from {least} to {most} for {parameter}."),
        );
        Self::new(parameter, "out_of_range", words).with_bounds(least, most)
    }

    /// Creates the fault for a value that is not in the list of valid values.
    #[must_use]
    pub fn unknown_value(parameter: &str, known: Vec<String>) -> Self {
        let list = known.join(", ");
        let words = Words::owned(
            format!("Geef een van: {list}."),
            format!("Give one of these for {parameter}: {list}."),
        );
        Self::new(parameter, "unknown_value", words).with_known(known)
    }

    /// Creates the fault for a year without figures.
    #[must_use]
    pub fn unknown_year(parameter: &str, years: &[i16]) -> Self {
        let known: Vec<String> = years.iter().map(ToString::to_string).collect();
        let list = known.join(", ");
        let words = Words::owned(
            format!("Voor dat jaar zijn er geen cijfers. Geef een van: {list}."),
            format!(
                "There are no figures for that year. Give one of these for {parameter}: {list}."
            ),
        );
        Self::new(parameter, "unknown_value", words).with_known(known)
    }

    /// Creates the fault for a year before `first` in a data set with an open-ended row, which
    /// covers all years since `first`.
    #[must_use]
    pub fn year_before(parameter: &str, first: i16) -> Self {
        let words = Words::owned(
            format!(
                "Geef een jaar van {first} tot en met 2099; wat nu geldt, staat ook bij de jaren die komen."
            ),
            format!(
                "Give a year from {first} to 2099 for {parameter}; what holds now is listed for the years to come too."
            ),
        );
        Self::new(parameter, "unknown_value", words).with_bounds(first, 2099)
    }

    /// Creates the fault for an invalid date.
    #[must_use]
    pub fn invalid_date(parameter: &str) -> Self {
        let words = Words::owned(
            "Geef een bestaande dag als JJJJ-MM-DD, van 2000-01-01 tot en met 2099-12-31."
                .to_owned(),
            format!(
                "Give a day that exists for {parameter}, as YYYY-MM-DD, from 2000-01-01 to 2099-12-31."
            ),
        );
        Self::new(parameter, "invalid_date", words).with_bounds("2000-01-01", "2099-12-31")
    }
}

/// Valid values of `lang`. The caller removes a `lang` with a valid value, so a `lang` that is
/// still present here is invalid.
const LANGUAGES: [&str; 2] = ["nl", "en"];

/// Faults for repeated and unknown parameters.
#[must_use]
pub fn repeated_or_unknown(parameters: &[(&str, &str)], known: &[&str]) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    for (place, (name, _)) in parameters.iter().enumerate() {
        let earlier = parameters[..place].iter().filter(|(other, _)| other == name).count();
        if *name == "lang" {
            if earlier == 0 {
                faults.push(Fault::unknown_value(name, LANGUAGES.map(str::to_owned).to_vec()));
            }
        } else if !known.contains(name) && earlier == 0 {
            let list = [known, &["lang"]].concat().join(", ");
            let words = Words::owned(
                format!("Deze parameter bestaat hier niet; laat hem weg. Er zijn: {list}."),
                format!("There is no such parameter here; leave it out. There are: {list}."),
            );
            faults.push(Fault::new(name, "unknown_field", words));
        } else if known.contains(name) && earlier == 1 {
            let words =
                Words::owned("Geef dit één keer op.".to_owned(), format!("Give {name} once."));
            faults.push(Fault::new(name, "too_many", words));
        }
    }
    faults
}
