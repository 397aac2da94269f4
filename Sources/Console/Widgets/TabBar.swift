/// A line of tabs, such as `1 Traces  2 Models [Tokens] Attention  3 Retrieval`.
///
/// The selected tab shows its pages. If space is short, the titles of unselected tabs are omitted first, starting with
/// the farthest, then the other pages of the selected tab, and then the tabs farthest from the selected one.
public struct TabBar: Hashable, Sendable {
    /// A tab.
    public struct Tab: Hashable, Sendable {
        /// Key that selects the tab.
        public var key: String
        /// Title of the tab.
        public var title: String
        /// Titles of the pages, shown if the tab is selected and has several.
        public var pages: [String]
        /// Index of the selected page.
        public var page: Int

        /// Creates a tab.
        public init(key: String, title: String, pages: [String] = [], page: Int = 0) {
            self.key = key
            self.title = title
            self.pages = pages
            self.page = page
        }
    }

    /// A tab, or one of the pages of the selected tab.
    public struct Target: Hashable, Sendable {
        /// Index of the tab.
        public var tab: Int
        /// Index of the page; `nil` for the tab itself.
        public var page: Int?

        /// Creates a target.
        public init(tab: Int, page: Int? = nil) {
            self.tab = tab
            self.page = page
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

    /// A visible tab or page and its position in the bar.
    public struct Placed: Hashable, Sendable {
        /// Tab or page.
        public var target: Target
        /// Visible text.
        public var text: String
        /// Number of columns to the left of the text.
        public var offset: Int
        /// Width of the text in columns.
        public var columns: Int
    }

    private static let spacing = 2

    /// Returns the visible tabs and pages and their positions for a width.
    public func layout(width: Int) -> [Placed] {
        let distant = tabs.indices.filter { $0 != selected }
            .sorted { (abs($0 - selected), $0) > (abs($1 - selected), $1) }
        for count in 0...distant.count {
            let placed = placed(short: Set(distant.prefix(count)))
            if Self.end(placed) <= width { return placed }
        }
        for count in 0...distant.count {
            let placed = placed(short: Set(distant), hidden: Set(distant.prefix(count)), showsAllPages: false)
            if Self.end(placed) <= width { return placed }
        }
        guard tabs.indices.contains(selected), width > 0 else { return [] }
        let text = "\(tabs[selected].key) \(tabs[selected].title)".truncated(toColumns: width)
        return [Placed(target: Target(tab: selected), text: text, offset: 0, columns: DisplayWidth.of(text))]
    }

    private static func end(_ placed: [Placed]) -> Int { placed.last.map { $0.offset + $0.columns } ?? 0 }

    /// Returns the positions of tabs and pages, regardless of the available width.
    ///
    /// - Parameters:
    ///   - short: Tabs that show only their key.
    ///   - hidden: Tabs that are left out.
    ///   - showsAllPages: Whether the selected tab shows all its pages, or only the selected one.
    private func placed(short: Set<Int> = [], hidden: Set<Int> = [], showsAllPages: Bool = true) -> [Placed] {
        var offset = 0
        var result: [Placed] = []
        func place(_ target: Target, _ text: String, after gap: Int) {
            if !result.isEmpty { offset += gap }
            let columns = DisplayWidth.of(text)
            result.append(Placed(target: target, text: text, offset: offset, columns: columns))
            offset += columns
        }
        for (index, tab) in tabs.enumerated() where !hidden.contains(index) {
            let text = short.contains(index) ? tab.key : "\(tab.key) \(tab.title)"
            place(Target(tab: index), text, after: Self.spacing)
            guard index == selected, tab.pages.count > 1 else { continue }
            for (page, title) in tab.pages.enumerated() where showsAllPages || page == tab.page {
                place(Target(tab: index, page: page), page == tab.page ? "[\(title)]" : title, after: 1)
            }
        }
        return result
    }

    /// Width of all tabs with their titles and of the pages of the selected tab, in columns.
    public var columns: Int { Self.end(placed()) }

    /// Returns the tab or page at a point in the area where the bar is drawn; `nil` if there is none.
    public func target(at point: Point, in area: Rect) -> Target? {
        guard area.contains(point), point.row == area.row else { return nil }
        let offset = point.column - area.column
        return layout(width: area.columns).first { offset >= $0.offset && offset < $0.offset + $0.columns }?.target
    }

    /// Draws the tabs on the first row of an area.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty else { return }
        for place in layout(width: area.columns) {
            let point = Point(column: area.column + place.offset, row: area.row)
            let tab = tabs[place.target.tab]
            let isActive = place.target.tab == selected && (place.target.page ?? tab.page) == tab.page
            surface.put(place.text, at: point, style: theme[isActive ? .tabActive : .tabInactive])
            guard isActive, place.target.page == nil else { continue }
            let key = theme[.tabActive].overlaid(with: theme[.accent])
            surface.put(tab.key, at: point, style: key, width: place.columns)
        }
    }
}
