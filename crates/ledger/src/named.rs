//! Enums whose values have a name in the API and on disk.

/// Enum whose values have a name in the API and on disk.
///
/// Parsers of names are generic over this trait; code for a single type uses that type's own
/// `ALL`, `as_str` and `parse`.
///
/// ```
/// use ledger::{event::PrivateUseKind, named::Named};
///
/// assert_eq!(PrivateUseKind::NAMED, [("car", PrivateUseKind::Car), ("goods", PrivateUseKind::Goods)]);
/// assert_eq!(PrivateUseKind::Goods.name(), "goods");
/// ```
pub trait Named: Copy + Eq + 'static {
    /// All values with their names, in order.
    const NAMED: &'static [(&'static str, Self)];

    /// Name in the API and on disk.
    #[must_use]
    fn name(self) -> &'static str;
}

macro_rules! named {
    ($(#[$doc:meta])* $kind:ident { $($(#[$variant_doc:meta])* $variant:ident => $name:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind { $($(#[$variant_doc])* $variant),* }

        impl $kind {
            /// All values, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Name in the API and on disk.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// Returns the value with the given name.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($name => Some(Self::$variant),)* _ => None }
            }
        }

        impl $crate::named::Named for $kind {
            const NAMED: &'static [(&'static str, Self)] = &[$(($name, Self::$variant)),*];

            fn name(self) -> &'static str {
                self.as_str()
            }
        }
    };
}
pub(crate) use named;
