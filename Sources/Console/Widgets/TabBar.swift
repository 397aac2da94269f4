/// A line of tabs, such as `1 Traces  2 Tokens  3 Attention`.
///
/// If space is short, the titles of unselected tabs are omitted first, and then the tabs farthest from the selected
/// one.
public struct TabBar: Hashable, Sendable {
    /// A tab.
    public struct Tab: Hashable, Sendable {
        /// Key that selects the tab.
        public var key: String
        /// Title of the tab.
        public var title: String

        /// Creates a tab.
        public init(key: String, title: String) {
            self.key = key
            self.title = title
        }
    }

    /// Tabs from left to right.
    public var tabs: [Tab]
    /// Index of the selected tab.
    public var selected: Int

    /// Creates a tab bar.
    public init(_ tabs: [Tab], selected: Int) {
        self.tabs = tabs
        self.selected = selected
    }

    /// A visible tab and its position in the bar.
    public struct Placed: Hashable, Sendable {
        /// Index of the tab.
        public var tab: Int
        /// Visible text.
        public var text: String
        /// Number of columns to the left of the tab.
        public var offset: Int
        /// Width of the tab in columns.
        public var columns: Int
    }

    private static let spacing = 2

    /// Returns the visible tabs and their positions for a width.
    public func layout(width: Int) -> [Placed] {
        let long = tabs.map { "\($0.key) \($0.title)" }
        if let placed = placed(Array(long.indices), long, width) { return placed }
        let short = tabs.indices.map { $0 == selected ? long[$0] : tabs[$0].key }
        var shown = Array(tabs.indices)
        while shown.count > 1 {
            if let placed = placed(shown, short, width) { return placed }
            let farthest =
                shown.indices.max {
                    (abs(shown[$0] - selected), $0) < (abs(shown[$1] - selected), $1)
                } ?? 0
            shown.remove(at: farthest)
        }
        guard let only = shown.first, width > 0 else { return [] }
        let text = short[only].truncated(toColumns: width)
        return [Placed(tab: only, text: text, offset: 0, columns: DisplayWidth.of(text))]
    }

    private func placed(_ shown: [Int], _ texts: [String], _ width: Int) -> [Placed]? {
        var offset = 0
        var result: [Placed] = []
        for tab in shown {
            let columns = DisplayWidth.of(texts[tab])
            result.append(Placed(tab: tab, text: texts[tab], offset: offset, columns: columns))
            offset += columns + Self.spacing
        }
        return offset - Self.spacing <= width ? result : nil
    }

    /// Width of all tabs with their titles, in columns.
    public var columns: Int {
        tabs.reduce(0) { $0 + DisplayWidth.of($1.key) + 1 + DisplayWidth.of($1.title) + Self.spacing } - Self.spacing
    }

    /// Returns the tab at a point in the area where the bar is drawn; `nil` if there is no tab.
    public func tab(at point: Point, in area: Rect) -> Int? {
        guard area.contains(point), point.row == area.row else { return nil }
        let offset = point.column - area.column
        return layout(width: area.columns).first { offset >= $0.offset && offset < $0.offset + $0.columns }?.tab
    }

    /// Draws the tabs on the first row of an area.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty else { return }
        for place in layout(width: area.columns) {
            let point = Point(column: area.column + place.offset, row: area.row)
            if place.tab == selected {
                surface.put(place.text, at: point, style: theme[.tabActive])
                surface.put(
                    tabs[place.tab].key, at: point, style: theme[.tabActive].overlaid(with: theme[.accent]),
                    width: place.columns)
            } else {
                surface.put(place.text, at: point, style: theme[.tabInactive])
            }
        }
    }
}
