/// What a piece of a screen means; the theme says how it looks.
///
/// The raw values are the keys of the theme files.
public enum Role: String, CaseIterable, Sendable {
    // What is read.
    case text, strong, dim, faint
    // The frame around it.
    case title, titleFocused, border, borderFocused, popup, popupBorder, tabActive, tabInactive
    case columnHeader, key, footer, scrollThumb, scrollTrack
    // Where one is, and what was found.
    case accent, selection, selectionInactive, match, matchCurrent, new
    // How it went.
    case failure, warning, success, info
    // Code, structured data and prose.
    case keyword, string, number, constant, comment, type, function, property, punctuation
    case code, quote, heading, link, diffAdded, diffRemoved, diffHunk
    // Charts.
    case series1, series2, series3, series4, series5, series6, series7, series8
    case gauge, gaugeBack, shade
    // How far from expected: tokens from likely to surprising.
    case heat1, heat2, heat3, heat4

    /// The role of a category in a chart: eight that go round.
    public static func series(_ index: Int) -> Role {
        allSeries[((index % allSeries.count) + allSeries.count) % allSeries.count]
    }

    private static let allSeries: [Role] = [
        .series1, .series2, .series3, .series4, .series5, .series6, .series7, .series8,
    ]

    /// Whether it paints areas rather than text.
    var isFill: Bool {
        switch self {
        case .series1, .series2, .series3, .series4, .series5, .series6, .series7, .series8, .gauge, .gaugeBack, .shade:
            true
        default: false
        }
    }

    /// The position in `allCases`.
    ///
    /// An enum without payloads of fewer than 256 cases is one byte that counts them in their order; a lookup by raw
    /// value would hash a string for every run of text on the screen.
    @inline(__always)
    package var index: Int {
        withUnsafeBytes(of: self) { Int($0[0]) }
    }
}
