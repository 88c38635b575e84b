//! Writes the laid-out pages as PDF/A-3 (level A) and PDF/UA-1.

use super::{
    Attachment, PdfError,
    canvas::{Canvas, DARK, Drawing, Element, Ink, PAGE, POINTS, Shape},
    font::Weight,
};
use crate::logo::{Format, Logo};
use jiff::civil::Date;
use krilla::{
    Document, SerializeSettings,
    action::{Action, LinkAction},
    annotation::{Annotation, LinkAnnotation, Target},
    color::rgb,
    configure::{Accessibility, Archival, ConfigurationBuilder},
    destination::XyzDestination,
    embed::{AssociationKind, EmbeddedFile, MimeType},
    geom::{PathBuilder, Point, Rect, Size, Transform},
    image::Image,
    metadata::{DateTime, Metadata},
    num::NormalizedF32,
    outline::{Outline, OutlineNode},
    page::{Page, PageSettings},
    paint::{Fill, FillRule},
    surface::Surface,
    tagging::{Artifact, ContentTag, Identifier, Node, SpanTag, TagGroup, TagTree},
};

/// Opacity of the watermark: text below it keeps a contrast of 4.5 to 1.
const WATERMARK_OPACITY: f32 = 0.1;

/// Metadata of the document.
pub(super) struct About {
    pub(super) title: String,
    pub(super) author: String,
    /// Language tag (RFC 5646).
    pub(super) language: &'static str,
    pub(super) date: Date,
    /// Headings, each with its page and position.
    pub(super) outline: Vec<(String, usize, f32)>,
}

/// Writes the pages.
pub(super) fn write(
    canvas: Canvas,
    structure: Vec<Element>,
    about: About,
    logo: Option<&Logo>,
    attachment: Option<&Attachment<'_>>,
) -> Result<Vec<u8>, PdfError> {
    let configuration = ConfigurationBuilder::new()
        .with_archival_validator(Archival::A3_A)
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(|error| PdfError::Refused(format!("{error:?}")))?;
    let mut document = Document::new_with(SerializeSettings {
        configuration,
        enable_tagging: true,
        ..SerializeSettings::default()
    });
    let image = logo.map(read).transpose()?;
    let mut identifiers: Vec<Option<Identifier>> = vec![None; canvas.contents];
    for drawings in canvas.pages {
        let settings =
            PageSettings::from_wh(PAGE.0 * POINTS, PAGE.1 * POINTS).expect("A4 is a size");
        let mut page = document.start_page_with(settings);
        draw_page(&mut page, drawings, image.as_ref(), &mut identifiers);
        page.finish();
    }
    let mut tree = TagTree::new().with_lang(Some(about.language.to_owned()));
    for element in structure {
        if let Some(node) = node(element, &mut identifiers) {
            tree.push(node);
        }
    }
    document.set_tag_tree(tree);
    describe(&mut document, about, attachment);
    document.finish().map_err(|error| PdfError::Refused(format!("{error:?}")))
}

fn read(logo: &Logo) -> Result<Image, PdfError> {
    // PDF/A does not allow interpolation.
    let image = match logo.format() {
        Format::Png => Image::from_png(logo.bytes().to_vec().into(), false),
        Format::Jpeg => Image::from_jpeg(logo.bytes().to_vec().into(), false),
    };
    image.map_err(|_| PdfError::Logo)
}

fn draw_page(
    page: &mut Page<'_>,
    drawings: Vec<Drawing>,
    image: Option<&Image>,
    identifiers: &mut [Option<Identifier>],
) {
    let (links, rest): (Vec<_>, Vec<_>) =
        drawings.into_iter().partition(|drawing| matches!(drawing.what, Shape::Link { .. }));
    let mut surface = page.surface();
    for drawing in rest {
        let original = match &drawing.what {
            Shape::Text { text, .. } => text.original.clone(),
            _ => None,
        };
        let tag = match drawing.number {
            None => ContentTag::Artifact(Artifact::with_kind(drawing.artifact)),
            Some(_) => match &original {
                Some(original) => {
                    ContentTag::Span(SpanTag::empty().with_actual_text(Some(original)))
                }
                None => ContentTag::Other,
            },
        };
        let identifier = surface.start_tagged(tag);
        draw(&mut surface, drawing.what, image);
        surface.end_tagged();
        if let Some(number) = drawing.number {
            identifiers[number] = Some(identifier);
        }
    }
    surface.finish();
    for link in links {
        let Shape::Link { x, y, width, height, target, meaning } = link.what else { continue };
        let Some(area) = Rect::from_xywh(x * POINTS, y * POINTS, width * POINTS, height * POINTS)
        else {
            continue;
        };
        let action = Target::Action(Action::Link(LinkAction::new(target)));
        let identifier = page.add_tagged_annotation(Annotation::new_link(
            LinkAnnotation::new(area, action),
            Some(meaning),
        ));
        if let Some(number) = link.number {
            identifiers[number] = Some(identifier);
        }
    }
}

fn draw(surface: &mut Surface<'_>, shape: Shape, image: Option<&Image>) {
    match shape {
        Shape::Text { x, y, text, style } => {
            surface.set_fill(Some(fill(style.ink)));
            let start = Point::from_xy(x * POINTS, y * POINTS);
            surface.draw_glyphs(
                start,
                &text.glyphs,
                style.weight.font(),
                &text.text,
                style.size,
                false,
            );
        }
        Shape::Watermark { text, size } => {
            let (x, y) = (PAGE.0 * POINTS / 2.0, PAGE.1 * POINTS / 2.0);
            let opacity =
                NormalizedF32::new(WATERMARK_OPACITY).expect("an opacity is between 0 and 1");
            surface.set_fill(Some(Fill { opacity, ..fill(DARK) }));
            surface.push_transform(&Transform::from_rotate_at(-45.0, x, y));
            // Capitals are 0.73 font sizes high, so their middle is about a third of a font size
            // above the baseline.
            let start = Point::from_xy(x - text.width * size / 2.0, y + size / 3.0);
            surface.draw_glyphs(
                start,
                &text.glyphs,
                Weight::SemiBold.font(),
                &text.text,
                size,
                false,
            );
            surface.pop();
        }
        Shape::Rule { x, y, width, thickness, ink } => paint(surface, ink, |path| {
            rectangle(path, x, y - thickness / 2.0, width, thickness);
        }),
        Shape::Panel { x, y, width, height, radius, ink } => {
            paint(surface, ink, |path| rounded(path, x, y, width, height, radius))
        }
        Shape::Modules { x, y, size, dark } => paint(surface, [0, 0, 0], |path| {
            for (column, row) in dark {
                rectangle(
                    path,
                    x + f32::from(column) * size,
                    y + f32::from(row) * size,
                    size,
                    size,
                );
            }
        }),
        Shape::Logo { x, y, width, height } => {
            if let (Some(image), Some(size)) =
                (image, Size::from_wh(width * POINTS, height * POINTS))
            {
                surface.push_transform(&Transform::from_translate(x * POINTS, y * POINTS));
                surface.draw_image(image.clone(), size);
                surface.pop();
            }
        }
        Shape::Link { .. } => {}
    }
}

fn fill([red, green, blue]: Ink) -> Fill {
    Fill {
        paint: rgb::Color::new(red, green, blue).into(),
        opacity: NormalizedF32::ONE,
        rule: FillRule::default(),
    }
}

fn paint(surface: &mut Surface<'_>, ink: Ink, outline: impl FnOnce(&mut PathBuilder)) {
    let mut path = PathBuilder::new();
    outline(&mut path);
    if let Some(path) = path.finish() {
        surface.set_fill(Some(fill(ink)));
        surface.draw_path(&path);
    }
}

fn rectangle(path: &mut PathBuilder, x: f32, y: f32, width: f32, height: f32) {
    if let Some(area) = Rect::from_xywh(x * POINTS, y * POINTS, width * POINTS, height * POINTS) {
        path.push_rect(area);
    }
}

/// Adds a rectangle with rounded corners; a quarter circle is a Bézier curve with handles of 0.5523
/// of the radius.
fn rounded(path: &mut PathBuilder, x: f32, y: f32, width: f32, height: f32, radius: f32) {
    let (left, top) = (x * POINTS, y * POINTS);
    let (right, bottom) = ((x + width) * POINTS, (y + height) * POINTS);
    let (radius, handle) = (radius * POINTS, radius * POINTS * (1.0 - 0.5523));
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    path.cubic_to(right - handle, top, right, top + handle, right, top + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(right, bottom - handle, right - handle, bottom, right - radius, bottom);
    path.line_to(left + radius, bottom);
    path.cubic_to(left + handle, bottom, left, bottom - handle, left, bottom - radius);
    path.line_to(left, top + radius);
    path.cubic_to(left, top + handle, left + handle, top, left + radius, top);
    path.close();
}

/// Converts the structure to krilla's form, in which every identifier must have exactly one parent.
fn node(element: Element, identifiers: &mut [Option<Identifier>]) -> Option<Node> {
    match element {
        Element::Nothing => None,
        Element::Content(number) => identifiers[number].take().map(Node::from),
        Element::Group(tag, children) => {
            let children: Vec<Node> =
                children.into_iter().filter_map(|child| node(child, identifiers)).collect();
            (!children.is_empty()).then(|| TagGroup::with_children(tag, children).into())
        }
    }
}

fn describe(document: &mut Document, about: About, attachment: Option<&Attachment<'_>>) {
    let date = date(about.date);
    let mut outline = Outline::new();
    for (text, page, height) in about.outline {
        outline.push_child(OutlineNode::new(
            text,
            XyzDestination::new(page, Point::from_xy(0.0, height * POINTS)),
        ));
    }
    document.set_outline(outline);
    // The metadata do not depend on when or where the file is written: the same invoice always
    // yields the same bytes.
    document.set_metadata(
        Metadata::new()
            .document_id(format!("{} {}", about.author, about.title))
            .title(about.title)
            .authors(vec![about.author])
            .language(about.language.to_owned())
            .creator("Grootboek".to_owned())
            .producer("Grootboek".to_owned())
            .creation_date(date),
    );
    if let Some(attachment) = attachment {
        document.embed_file(EmbeddedFile {
            path: attachment.name.to_owned(),
            mime_type: MimeType::new("application/xml"),
            description: Some(attachment.description.to_owned()),
            association_kind: AssociationKind::Alternative,
            data: attachment.bytes.to_vec().into(),
            modification_date: Some(date),
            compress: Some(true),
            location: None,
        });
    }
}

fn date(day: Date) -> DateTime {
    let number = |number: i8| number.unsigned_abs();
    DateTime::new(day.year().unsigned_abs())
        .month(number(day.month()))
        .day(number(day.day()))
        .hour(0)
        .minute(0)
        .second(0)
        .utc_offset_hour(0)
        .utc_offset_minute(0)
}
