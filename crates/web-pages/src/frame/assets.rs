//! The style sheet, script, font and icons of the pages.

use std::sync::LazyLock;
use web_core::assets::Asset;

/// Parts of the style sheet, in order.
const STYLES: &str = concat!(
    include_str!("../../assets/css/1-roles.css"),
    include_str!("../../assets/css/2-base.css"),
    include_str!("../../assets/css/3-shell.css"),
    include_str!("../../assets/css/4-parts.css"),
    include_str!("../../assets/css/5-forms.css"),
    include_str!("../../assets/css/6-tables.css"),
    include_str!("../../assets/css/7-pages.css"),
);
/// Parts of the script; each is a block of its own.
const SCRIPTS: &str = concat!(
    include_str!("../../assets/js/niceties.js"),
    include_str!("../../assets/js/lines.js"),
    include_str!("../../assets/js/suggest.js"),
    include_str!("../../assets/js/live.js"),
    include_str!("../../assets/js/preview.js"),
    include_str!("../../assets/js/usual-vat.js"),
    include_str!("../../assets/js/hours.js"),
    include_str!("../../assets/js/files.js"),
    include_str!("../../assets/js/keyboard.js"),
    include_str!("../../assets/js/unfinished.js"),
    include_str!("../../assets/js/leave.js"),
);

static FONT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("inter", "woff2", include_bytes!("../../assets/inter.woff2").as_slice())
});
static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("app", "css", STYLES.replace("{inter}", &FONT.name).into_bytes()));
static SCRIPT: LazyLock<Asset> = LazyLock::new(|| Asset::new("app", "js", SCRIPTS.as_bytes()));
static MARK: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("mark", "svg", include_bytes!("../../assets/mark.svg").as_slice()));
static ICONS: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("icons", "svg", include_bytes!("../../assets/icons.svg").as_slice())
});

/// File names used by the layout.
pub struct Names {
    /// Font.
    pub font: &'static str,
    /// Style sheet.
    pub style: &'static str,
    /// Script.
    pub script: &'static str,
    /// Logo.
    pub mark: &'static str,
    /// Sprite with the icons.
    pub icons: &'static str,
}

/// Returns the file names, including their hashes.
pub fn names() -> Names {
    Names {
        font: &FONT.name,
        style: &STYLE.name,
        script: &SCRIPT.name,
        mark: &MARK.name,
        icons: &ICONS.name,
    }
}

/// Returns the path of the logo, for clients that request it at a well-known URL.
pub fn mark() -> String {
    format!("/static/{}", MARK.name)
}

/// Returns the file with this name.
pub fn find(name: &str) -> Option<&'static Asset> {
    [&*FONT, &*STYLE, &*SCRIPT, &*MARK, &*ICONS].into_iter().find(|asset| asset.name == name)
}
