/// A help pop-up that lists key bindings by group, in as many columns as fit.
public struct HelpView: Sendable {
    /// A line in the help pop-up.
    public struct Entry: Hashable, Sendable {
        /// Keys as displayed.
        public var keys: String
        /// Effect of the keys.
        public var description: String
        /// Reason why the action cannot run now; `nil` if it can.
        public var disabledReason: String?

        /// Creates an entry.
        public init(_ keys: String, _ description: String, disabledReason: String? = nil) {
            self.keys = keys
            self.description = description
            self.disabledReason = disabledReason
        }
    }

    /// A group of entries with a heading.
    public struct Group: Hashable, Sendable {
        /// Heading.
        public var title: String
        /// Entries from top to bottom.
        public var entries: [Entry]

        /// Creates a group.
        public init(_ title: String, _ entries: [Entry]) {
            self.title = title
            self.entries = entries
        }
    }

    /// Title of the pop-up.
    public let title: String
    /// Groups that have entries.
    public let groups: [Group]
    /// Number of rows scrolled off the top.
    public private(set) var top = 0

    /// Creates help from groups; empty groups are left out.
    public init(_ title: String, _ groups: [Group]) {
        self.title = title
        self.groups = groups.filter { !$0.entries.isEmpty }
    }

    /// Creates help for bindings, with groups in order of first appearance; actions without keys are left out.
    public init<Action>(
        _ title: String, bindings: [Binding<Action>], disabled: (Action) -> String? = { _ in nil }
    ) {
        self.init(title, Self.groups(of: bindings, disabled: disabled))
    }

    /// Returns the groups of bindings, which can be combined with groups of other bindings.
    public static func groups<Action>(
        of bindings: [Binding<Action>], disabled: (Action) -> String? = { _ in nil }
    ) -> [Group] {
        var groups: [Group] = []
        for binding in bindings where !binding.keys.isEmpty {
            let entry = Entry(binding.label, binding.description, disabledReason: disabled(binding.action))
            if let index = groups.firstIndex(where: { $0.title == binding.group }) {
                groups[index].entries.append(entry)
            } else {
                groups.append(Group(binding.group, [entry]))
            }
        }
        return groups
    }

    /// Moves the view down by `rows` rows, stopping at the ends.
    public mutating func scroll(by rows: Int, in screen: Rect) {
        let layout = HelpLayout(groups, screen: screen)
        let last = max(0, layout.height - layout.visibleRows)
        top = min(max(0, top + max(-10_000, min(rows, 10_000))), last)
    }

    /// Returns the longest part of the title that fits: all of it, the part before ` ── `, or the first word.
    private func fittingTitle(columns: Int) -> String {
        let parts = [" ── ", " "].map { mark in
            title.firstRange(of: mark).map { String(title[..<$0.lowerBound]) } ?? title
        }
        return ([title] + parts).first { DisplayWidth.of($0) <= columns } ?? parts[1]
    }

    /// Draws the pop-up in the middle of the screen.
    public func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        let layout = HelpLayout(groups, screen: screen)
        let rows = layout.visibleRows
        let isCut = layout.height > rows
        let popup = Popup(
            FrameLabel(fittingTitle(columns: layout.columns - 4)), content: Size(layout.columns, rows),
            trailing: isCut ? [FrameLabel("arrows scroll", role: .dim)] : [])
        let inside = popup.draw(into: &surface, in: screen, theme: theme)
        let top = min(top, max(0, layout.height - rows))
        surface.clipped(to: inside) { surface in
            for (index, column) in layout.lines.enumerated() {
                for (row, line) in column.dropFirst(top).prefix(inside.rows).enumerated() {
                    let place = Point(
                        column: inside.column + index * (layout.columnWidth + HelpLayout.gap), row: inside.row + row)
                    draw(line, layout, into: &surface, at: place, theme)
                }
            }
        }
        let edge = Rect(column: inside.endColumn + 1, row: inside.row, columns: 1, rows: inside.rows)
        ScrollBar(count: layout.height, top: top, height: rows).draw(into: &surface, in: edge, theme: theme)
    }

    private func draw(
        _ line: HelpLayout.Line, _ layout: HelpLayout, into surface: inout Surface, at place: Point, _ theme: Theme
    ) {
        let text = Point(column: place.column + layout.keyWidth + 2, row: place.row)
        switch line {
        case .blank: break
        case .title(let title):
            surface.put(title, at: place, style: theme[.heading], width: layout.columnWidth)
        case .entry(let keys, let description, let isEnabled):
            surface.put(
                keys, at: place, style: theme[isEnabled ? .key : .faint], width: layout.keyWidth, aligned: .right)
            surface.put(description, at: text, style: theme[isEnabled ? .text : .faint], width: layout.textWidth)
        }
    }
}

/// The arrangement of help in columns.
struct HelpLayout {
    enum Line: Hashable {
        case blank
        case title(String)
        case entry(keys: String, description: String, isEnabled: Bool)
    }

    static let gap = 4
    private static let widestKeys = 14
    private static let narrowest = 32
    private static let widest = 56

    let columnWidth: Int
    let keyWidth: Int
    let columns: Int
    let lines: [[Line]]
    /// Number of rows in view.
    let visibleRows: Int

    var height: Int { lines.map(\.count).max() ?? 0 }
    var textWidth: Int { max(1, columnWidth - keyWidth - 2) }

    init(_ groups: [HelpView.Group], screen: Rect) {
        let entries = groups.flatMap(\.entries)
        let keyWidth = min(Self.widestKeys, entries.map { DisplayWidth.of($0.keys) }.max() ?? 0)
        let natural = keyWidth + 2 + (entries.map { DisplayWidth.of(Self.text($0)) }.max() ?? 0)
        let preferred = min(Self.widest, max(Self.narrowest, natural))
        let room = max(1, screen.columns - 4)
        let rows = max(1, screen.rows - 2)
        // Use the smallest number of columns that shows everything, or the largest number with legible lines.
        var chosen: (width: Int, lines: [[Line]])?
        for count in 1...max(1, min(4, (room + Self.gap) / (Self.narrowest + Self.gap))) {
            let width = min(preferred, (room - (count - 1) * Self.gap) / count)
            let blocks = groups.map { Self.block($0, keyWidth: keyWidth, width: width) }
            let lines = Self.flow(blocks, into: count)
            chosen = (width, lines)
            if (lines.map(\.count).max() ?? 0) <= rows { break }
        }
        columnWidth = chosen?.width ?? room
        lines = chosen?.lines ?? []
        self.keyWidth = keyWidth
        columns = max(1, lines.count) * (columnWidth + Self.gap) - Self.gap
        visibleRows = min(rows, max(1, lines.map(\.count).max() ?? 1))
    }

    private static func text(_ entry: HelpView.Entry) -> String {
        entry.disabledReason.map { "\(entry.description) (\($0))" } ?? entry.description
    }

    /// Returns the lines of a group, with wrapped descriptions.
    private static func block(_ group: HelpView.Group, keyWidth: Int, width: Int) -> [Line] {
        let wrapper = TextWrapper(columns: max(8, width - keyWidth - 2))
        return [.title(group.title)]
            + group.entries.flatMap { entry in
                let document = TextDocument(text(entry))
                return document.withBytes { bytes in
                    var rows: [TextRow] = []
                    wrapper.wrap(bytes, document.segment(from: 0, in: bytes), into: &rows)
                    return rows.enumerated().map { index, row in
                        var text = String(decoding: bytes[row.start..<row.end], as: UTF8.self)
                        while text.last == " " { text.removeLast() }
                        return Line.entry(
                            keys: index == 0 ? entry.keys : "", description: text,
                            isEnabled: entry.disabledReason == nil)
                    }
                }
            }
    }

    /// Distributes whole groups across columns in order, with the smallest possible height.
    private static func flow(_ blocks: [[Line]], into count: Int) -> [[Line]] {
        var height = blocks.map(\.count).max() ?? 0
        while true {
            var columns: [[Line]] = []
            for block in blocks {
                if let last = columns.last, last.count + 1 + block.count <= height {
                    columns[columns.count - 1] += [.blank] + block
                } else {
                    columns.append(block)
                }
            }
            if columns.count <= count { return columns }
            height += 1
        }
    }
}
