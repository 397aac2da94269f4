/// Meanings of screen elements, which a theme maps to styles.
///
/// The raw values are the keys of the theme files.
public enum Role: String, CaseIterable, Sendable {
    /// Body text.
    case text, strong, dim, faint
    /// Panes and pop-ups: titles, borders, and tabs.
    case title, titleFocused, border, borderFocused, popup, popupBorder, tabActive, tabInactive
    /// Column headers, keys, footers, and scroll bars.
    case columnHeader, key, footer, scrollThumb, scrollTrack
    /// The cursor, the selection, search matches, and new rows.
    case accent, selection, selectionInactive, match, matchCurrent, new
    /// Outcomes.
    case failure, warning, success, info
    /// Code and structured data.
    case keyword, string, number, constant, comment, type, function, property, punctuation
    /// Prose and diffs.
    case code, quote, heading, link, diffAdded, diffRemoved, diffHunk
    /// Categories in a chart.
    case series1, series2, series3, series4, series5, series6, series7, series8
    /// Gauges and shaded areas of a chart.
    case gauge, gaugeBack, shade
    /// Tokens, from likely to surprising.
    case heat1, heat2, heat3, heat4

    /// Returns the role of a category in a chart; the eight roles repeat.
    public static func series(_ index: Int) -> Role {
        allSeries[((index % allSeries.count) + allSeries.count) % allSeries.count]
    }

    private static let allSeries: [Role] = [
        .series1, .series2, .series3, .series4, .series5, .series6, .series7, .series8,
    ]

    /// Whether the role colors areas instead of text.
    var isFill: Bool {
        switch self {
        case .series1, .series2, .series3, .series4, .series5, .series6, .series7, .series8, .gauge, .gaugeBack, .shade:
            true
        default: false
        }
    }

    /// Position in `allCases`.
    ///
    /// An enum with fewer than 256 cases and no associated values is stored as one byte, the number of the case.
    /// A lookup by raw value would hash a string for every run of text on the screen.
    @inline(__always)
    package var index: Int {
        withUnsafeBytes(of: self) { Int($0[0]) }
    }
}
