/// The keys of a place, by groups, in as many columns as fit: help that is made from bindings and cannot lie.
public struct HelpView: Sendable {
    public struct Entry: Hashable, Sendable {
        public var keys: String
        public var description: String
        /// Why it cannot run now; nil where it can.
        public var disabled: String?

        public init(_ keys: String, _ description: String, disabled: String? = nil) {
            self.keys = keys
            self.description = description
            self.disabled = disabled
        }
    }

    public struct Group: Hashable, Sendable {
        public var title: String
        public var entries: [Entry]

        public init(_ title: String, _ entries: [Entry]) {
            self.title = title
            self.entries = entries
        }
    }

    public let title: String
    public let groups: [Group]
    /// Rows that are scrolled out at the top.
    public private(set) var top = 0

    public init(_ title: String, _ groups: [Group]) {
        self.title = title
        self.groups = groups.filter { !$0.entries.isEmpty }
    }

    /// Help for bindings, in the order in which their groups first come; actions without a key are left out.
    public init<Action>(
        _ title: String, bindings: [Binding<Action>], disabled: (Action) -> String? = { _ in nil }
    ) {
        self.init(title, Self.groups(of: bindings, disabled: disabled))
    }

    /// The groups of bindings, to be joined with those of another place.
    public static func groups<Action>(
        of bindings: [Binding<Action>], disabled: (Action) -> String? = { _ in nil }
    ) -> [Group] {
        var groups: [Group] = []
        for binding in bindings where !binding.keys.isEmpty {
            let entry = Entry(binding.label, binding.description, disabled: disabled(binding.action))
            if let index = groups.firstIndex(where: { $0.title == binding.group }) {
                groups[index].entries.append(entry)
            } else {
                groups.append(Group(binding.group, [entry]))
            }
        }
        return groups
    }

    /// Moves down so many rows on a screen, no further than the ends.
    public mutating func scroll(by rows: Int, in screen: Rect) {
        let layout = HelpLayout(groups, screen: screen)
        let last = max(0, layout.height - layout.visibleRows)
        top = min(max(0, top + max(-10_000, min(rows, 10_000))), last)
    }

    /// The longest part of the title that fits: the whole, the part before ` ── `, or the first word.
    private func fittingTitle(columns: Int) -> String {
        let parts = [" ── ", " "].map { mark in
            title.firstRange(of: mark).map { String(title[..<$0.lowerBound]) } ?? title
        }
        return ([title] + parts).first { DisplayWidth.of($0) <= columns } ?? parts[1]
    }

    /// Draws the popup over the middle of the screen.
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

/// How help falls into columns on a screen.
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
    /// The rows that a screen leaves for it.
    let visibleRows: Int

    var height: Int { lines.map(\.count).max() ?? 0 }
    var textWidth: Int { max(1, columnWidth - keyWidth - 2) }

    init(_ groups: [HelpView.Group], screen: Rect) {
        let entries = groups.flatMap(\.entries)
        let keyWidth = min(Self.widestKeys, entries.map { DisplayWidth.of($0.keys) }.max() ?? 0)
        let natural = keyWidth + 2 + (entries.map { DisplayWidth.of(Self.text($0)) }.max() ?? 0)
        let wanted = min(Self.widest, max(Self.narrowest, natural))
        let room = max(1, screen.columns - 4)
        let rows = max(1, screen.rows - 2)
        // The fewest columns in which all is seen at once; else as many as keep their lines readable.
        var chosen: (width: Int, lines: [[Line]])?
        for count in 1...max(1, min(4, (room + Self.gap) / (Self.narrowest + Self.gap))) {
            let width = min(wanted, (room - (count - 1) * Self.gap) / count)
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
        entry.disabled.map { "\(entry.description) (\($0))" } ?? entry.description
    }

    /// A group's lines, its descriptions wrapped.
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
                            keys: index == 0 ? entry.keys : "", description: text, isEnabled: entry.disabled == nil)
                    }
                }
            }
    }

    /// Whole groups in order into columns, the highest as low as can be.
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
