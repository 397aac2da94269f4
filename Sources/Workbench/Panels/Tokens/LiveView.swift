internal import Console
internal import Formatting
internal import KernelLab
internal import Providers
internal import Tables

/// Live state of a model in this process: tokens/s, the pages of its memory, and the time of each operation.
struct LiveView: Sendable {
    /// An operation of the forward pass, with its share of the roof.
    struct Operation: Sendable {
        var name: String
        var secondsPerPass: Double
        /// Share of the forward pass's time.
        var share: Double
        /// Share of the roof at this arithmetic intensity; `nil` if no ceilings were measured.
        var roofShare: Double?
        /// Row of the kernel in the workspace's list of uses.
        var use: Int64?
        /// Kernel and shape, such as `matvec-q4_k m=1 n=4096 k=4096`.
        var kernel: String
    }

    var snapshot: LiveSnapshot
    var operations: [Operation]

    var title: String {
        let rate = snapshot.tokensPerSecond
        return rate > 0 ? Format.rate(rate, "tokens") : snapshot.model
    }

    /// Returns the reference of a row's kernel, for the kernel panel.
    func reference(at index: Int) -> Reference? {
        guard operations.indices.contains(index), let use = operations[index].use else { return nil }
        return Reference(.operation, [use], title: operations[index].kernel)
    }

    /// Lines above the table: prompt, first token, and memory.
    private var facts: [KeyValue.Entry] {
        let reused = snapshot.reusedTokens > 0 ? ", \(Format.count(snapshot.reusedTokens)) reused" : ""
        let shared = snapshot.pages.count { $0.owners > 1 }
        return [
            .init("prompt", Format.count(snapshot.promptTokens, "token") + reused),
            .init(
                "first token", snapshot.secondsToFirstToken.map { Format.duration(seconds: $0) } ?? "…"),
            .init(
                "memory",
                "\(Format.bytes(snapshot.pageBytes)), \(Format.count(snapshot.pages.count, "page"))"
                    + (shared > 0 ? ", \(Format.count(shared)) shared" : "")),
        ]
    }

    private var headRows: Int { facts.count + 1 + (snapshot.experts == nil ? 0 : 1) }

    /// Number of rows for the whole view.
    var rows: Int { headRows + 1 + operations.count }

    func operationRows(in inside: Rect) -> Rect { Table([]).rowsArea(in: parts(of: inside).table) }

    /// Returns the areas of the lines and of the table below, or only the table if both do not fit.
    private func parts(of inside: Rect) -> (head: Rect, table: Rect) {
        var rest = inside
        let head = rest.takeTop(inside.rows >= headRows + 3 ? headRows : 0)
        return (head.inset(columns: 1), rest)
    }

    func draw(_ list: ListView, into surface: inout Surface, in inside: Rect, theme: Theme, isFocused: Bool) {
        let parts = parts(of: inside)
        if !parts.head.isEmpty {
            var head = parts.head
            let rows = KeyValue(facts, spacing: 2).draw(into: &surface, in: head, theme: theme)
            _ = head.takeTop(rows)
            drawPages(into: &surface, in: head.takeTop(1), theme: theme)
            if let experts = snapshot.experts {
                drawExperts(experts, into: &surface, in: head.takeTop(1), theme: theme)
            }
        }
        var columns = Columns<Operation>(width: parts.table.columns, theme: theme)
        columns.add("operation", minimum: 12, weight: 2) { .init($0.name, .text) }
        columns.add("per pass", align: .right, minimum: 8) {
            .init(Format.duration(seconds: $0.secondsPerPass), .text)
        }
        columns.add("share", align: .right, minimum: 7, priority: 2) { .init(Format.percent($0.share), .dim) }
        // Shares of the roof are known once ceilings were measured.
        if operations.contains(where: { $0.roofShare != nil }) {
            let nothing = Table.Cell(String(Character(theme.glyphs.nothing)), .faint)
            columns.add("of roof", align: .right, minimum: 7, priority: 1) { operation in
                operation.roofShare.map { .init(Format.percent($0), .accent) } ?? nothing
            }
        }
        columns.draw(operations, list, into: &surface, in: parts.table, isFocused: isFocused)
    }

    /// Draws one bar per expert, and the imbalance of the router.
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

    /// Draws one cell per page: full or partly filled, unshared or shared by branches.
    private func drawPages(into surface: inout Surface, in area: Rect, theme: Theme) {
        let note = "  1 cell = \(Format.count(snapshot.pageSize, "token"))"
        let room = max(1, area.columns - DisplayWidth.of(note))
        let shown = snapshot.pages.suffix(room)
        for (index, page) in shown.enumerated() {
            let isPartial = page.filled < snapshot.pageSize
            surface.put(
                isPartial ? "▖" : "■", at: Point(column: area.column + index, row: area.row),
                style: theme[page.owners > 1 ? .series2 : .series1])
        }
        surface.put(
            note, at: Point(column: area.column + shown.count, row: area.row), style: theme[.faint],
            width: area.columns - shown.count)
    }
}
