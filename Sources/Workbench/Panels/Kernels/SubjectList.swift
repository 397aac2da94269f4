internal import Console
internal import KernelLab

/// What the panel can show: the kernels that come with the program, the person's own, and imported profiles.
enum KernelSubject: Hashable, Sendable {
    /// By the operation's name.
    case operation(String)
    /// By the path of the TOML file.
    case own(String)
    case profile(Int64)

    /// As it is kept in the last screen.
    var text: String {
        switch self {
        case .operation(let name): "operation:" + name
        case .own(let path): "own:" + path
        case .profile(let id): "profile:\(id)"
        }
    }

    init?(text: String) {
        let halves = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard halves.count == 2 else { return nil }
        switch halves[0] {
        case "operation": self = .operation(halves[1])
        case "own": self = .own(halves[1])
        case "profile":
            guard let id = Int64(halves[1]) else { return nil }
            self = .profile(id)
        default: return nil
        }
    }
}

/// The list of them, with the last best figure of each.
struct SubjectList: Sendable {
    private(set) var rows: [Row] = []
    var list = ListView()

    struct Row: Sendable {
        var subject: KernelSubject
        var title: String
        /// The rung or tool.
        var detail: String
        /// Total time of a profile.
        var time: String?
        var isMeasured = false
        /// Share of the roof for the rung's number of threads; `nil` if that roof was not measured.
        var share: RoofShare?
        /// Whether the figures are from another machine.
        var isElsewhere = false
        /// Whether the figures are of an older version of the user's kernel.
        var isOutdated = false
        var isRegression = false
        /// Whether the last measurement failed.
        var hasFailed = false

        /// `89.8 %`, or the time of a profile; `nil` without a measurement.
        var figure: String? { hasFailed ? "failed" : time ?? (isMeasured ? FigureText.share(share) : nil) }

        var role: Role {
            if hasFailed { return .failure }
            if isOutdated { return .faint }
            if isRegression { return .failure }
            if isElsewhere { return .dim }
            return isMeasured ? FigureText.role(share) : .text
        }
    }

    var selected: Row? { rows.indices.contains(list.selection) ? rows[list.selection] : nil }

    /// New rows; the cursor stays on what it was on.
    ///
    /// - Parameter failed: Kernels whose last measurement failed.
    mutating func show(_ rows: [Row], failed: Set<KernelSubject> = []) {
        let before = selected?.subject
        self.rows = rows
        for index in self.rows.indices { self.rows[index].hasFailed = failed.contains(self.rows[index].subject) }
        list.count = rows.count
        if let before { select(before) }
    }

    /// Moves the cursor to a row; returns false if the list has no such row.
    @discardableResult
    mutating func select(_ subject: KernelSubject) -> Bool {
        guard let index = rows.firstIndex(where: { $0.subject == subject }) else { return false }
        list.select(index)
        return true
    }

    /// The column of shares is as wide as its widest figure.
    var table: Table {
        let widest = rows.compactMap(\.figure).map(DisplayWidth.of).max() ?? 0
        let measured = rows.filter(\.isMeasured)
        // Figures of another machine are dim; if there are no others, the header says so too.
        let title = !measured.isEmpty && measured.allSatisfy(\.isElsewhere) ? "recorded" : "of roof"
        return Table([
            .init("kernel", minimum: 10, weight: 2),
            .init("best", minimum: 9, weight: 1, priority: 2),
            // A share is useless next to a name that is cut to three letters.
            .init(title, alignment: .right, minimum: max(DisplayWidth.of(title), widest), priority: 1),
        ])
    }

    /// The columns that names, rungs, and figures fill, with a frame.
    var columnsNeeded: Int {
        func widest(_ text: (Row) -> String) -> Int { rows.map { DisplayWidth.of(text($0)) }.max() ?? 0 }
        let details = widest(\.detail)
        // The table gives the name two parts and the rung one.
        let names = max(widest(\.title), 2 * details)
        return names + details + max(8, widest { $0.figure ?? "" }) + 4 + ListView.gutter + 1 + 2
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, shown: KernelSubject?) {
        table.draw(list, into: &surface, in: area, theme: theme, isFocused: isFocused) { index, column in
            let row = rows[index]
            switch column {
            case 0: return .init(row.title, row.subject == shown ? .accent : .text)
            case 1: return .init(row.detail, .dim)
            default:
                guard let figure = row.figure else { return .init(String(Character(theme.glyphs.nothing)), .faint) }
                return .init(figure, row.role)
            }
        }
    }
}
