internal import Console
internal import KernelLab
internal import Providers

/// How a model in this process runs: tokens a second, the pages of its memory, and where the time of a token goes.
struct LiveView: Sendable {
    /// An operation of the pass with its place on the roof.
    struct Operation: Sendable {
        var name: String
        var secondsPerPass: Double
        /// Of the time of the pass.
        var share: Double
        /// Of what the machine's roof allows at this intensity; nil where no ceilings were measured.
        var roofShare: Double?
        /// The kernel in the workspace's list of uses.
        var use: Int64?
        /// `matvec-q4_k m=1 n=4096 k=4096`.
        var kernel: String
    }

    var snapshot: LiveSnapshot
    var operations: [Operation]

    var title: String {
        let rate = snapshot.tokensPerSecond
        return rate > 0 ? "\(Format.fixed(rate, digits: rate < 100 ? 1 : 0)) tok/s" : snapshot.model
    }

    /// The kernel of a row, as the kernel panel opens it.
    func reference(at index: Int) -> Reference? {
        guard operations.indices.contains(index), let use = operations[index].use else { return nil }
        return Reference(.operation, [use], title: operations[index].kernel)
    }

    static let table = Table([
        .init("operation", minimum: 12, weight: 2), .init("a pass", alignment: .right, minimum: 8),
        .init("share", alignment: .right, minimum: 7, priority: 2),
        .init("of roof", alignment: .right, minimum: 7, priority: 1),
    ])

    /// Lines above the table: speed and pages.
    private static let headRows = 4

    static func operationRows(in inside: Rect) -> Rect {
        var rest = inside
        _ = rest.takeTop(min(headRows, rest.rows))
        return table.rowsArea(in: rest)
    }

    func draw(_ list: ListView, into surface: inout Surface, in inside: Rect, theme: Theme, isFocused: Bool) {
        var rest = inside
        let head = rest.takeTop(min(Self.headRows, rest.rows)).inset(columns: 1)
        let lines = [speedLine, pagesLine]
        for (row, line) in lines.enumerated() where row < head.rows {
            surface.put(
                line, at: Point(column: head.column, row: head.row + row), theme: theme, width: head.columns)
        }
        if head.rows > 2 {
            drawPages(
                into: &surface, in: Rect(column: head.column, row: head.row + 2, columns: head.columns, rows: 1),
                theme: theme)
        }
        if head.rows > 3, let experts = snapshot.experts {
            drawExperts(
                experts, into: &surface,
                in: Rect(column: head.column, row: head.row + 3, columns: head.columns, rows: 1), theme: theme)
        }
        Self.table.draw(list, into: &surface, in: rest, theme: theme, isFocused: isFocused) { index, column in
            let operation = operations[index]
            switch column {
            case 0: return .init(operation.name, .text)
            case 1: return .init(Format.duration(nanoseconds: Int(operation.secondsPerPass * 1e9)), .text)
            case 2: return .init(Format.percent(operation.share, digits: 1), .dim)
            default:
                guard let share = operation.roofShare else {
                    return .init(String(Character(theme.glyphs.nothing)), .faint)
                }
                return .init(Format.percent(share, digits: 0), .accent)
            }
        }
    }

    /// A bar an expert, and how uneven the router is.
    private func drawExperts(_ experts: LiveSnapshot.Experts, into surface: inout Surface, in area: Rect, theme: Theme)
    {
        let label = "experts "
        surface.put(label, at: area.origin, style: theme[.dim])
        var bars = area
        _ = bars.takeLeft(label.count)
        let count = min(experts.shares.count, max(0, bars.columns - 18))
        Sparkline(Array(experts.shares.prefix(count)), range: 0...(experts.shares.max() ?? 1)).draw(
            into: &surface, in: Rect(column: bars.column, row: bars.row, columns: count, rows: 1),
            style: theme[.series3], theme: theme)
        surface.put(
            "  imbalance \(Format.fixed(experts.imbalance, digits: 2))",
            at: Point(column: bars.column + count, row: bars.row), style: theme[.dim], width: bars.columns - count)
    }

    private var speedLine: StyledLine {
        var line = StyledLine("prompt ", .dim)
        line.append("\(Format.count(snapshot.promptTokens)) tokens", .text)
        if snapshot.reusedTokens > 0 { line.append(", \(Format.count(snapshot.reusedTokens)) kept", .dim) }
        line.append("   first after ", .dim)
        line.append(snapshot.secondsToFirstToken.map { Format.duration(nanoseconds: Int($0 * 1e9)) } ?? "…", .text)
        return line
    }

    private var pagesLine: StyledLine {
        var line = StyledLine("pages ", .dim)
        line.append("\(Format.count(snapshot.pages.count))", .text)
        line.append(" of \(snapshot.pageSize) tokens, ", .dim)
        line.append("\(Format.count(snapshot.pages.count { $0.owners > 1 }))", .text)
        line.append(" shared, ", .dim)
        line.append(Format.bytes(snapshot.pageBytes), .text)
        return line
    }

    /// A cell a page: full or partly filled, its own or shared by branches.
    private func drawPages(into surface: inout Surface, in area: Rect, theme: Theme) {
        for (index, page) in snapshot.pages.suffix(area.columns).enumerated() {
            let isPartial = page.filled < snapshot.pageSize
            surface.put(
                isPartial ? "▖" : "■", at: Point(column: area.column + index, row: area.row),
                style: theme[page.owners > 1 ? .series2 : .series1])
        }
    }
}
