internal import Console

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
        /// `89.8 %`, or the time of a profile; empty where nothing was measured.
        var figure: String
        var isRegression = false
    }

    var selected: Row? { rows.indices.contains(list.selection) ? rows[list.selection] : nil }

    /// New rows; the cursor stays on what it was on.
    mutating func show(_ rows: [Row]) {
        let before = selected?.subject
        self.rows = rows
        list.count = rows.count
        if let before { select(before) }
    }

    /// Moves the cursor to a row; false where the list has none for it.
    @discardableResult
    mutating func select(_ subject: KernelSubject) -> Bool {
        guard let index = rows.firstIndex(where: { $0.subject == subject }) else { return false }
        list.select(index)
        return true
    }

    static let table = Table([
        .init("kernel", minimum: 10, weight: 2),
        .init("best", minimum: 9, weight: 1, priority: 1),
        .init("of roof", alignment: .right, minimum: 7),
    ])

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, shown: KernelSubject?) {
        Self.table.draw(list, into: &surface, in: area, theme: theme, isFocused: isFocused) { index, column in
            let row = rows[index]
            switch column {
            case 0: return .init(row.title, row.subject == shown ? .accent : .text)
            case 1: return .init(row.detail, .dim)
            default:
                return .init(
                    row.figure.isEmpty ? String(Character(theme.glyphs.nothing)) : row.figure,
                    row.isRegression ? .failure : row.figure.isEmpty ? .faint : .text)
            }
        }
    }
}
