internal import Console
internal import KernelLab
internal import Presentation
internal import Tables

/// A row of the list: a kernel or profile, with its last best figure.
struct SubjectRow: Identifiable, Sendable {
    let id: KernelSubject
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

extension RowList<SubjectRow> {
    /// Adds the columns; a share is as wide as the widest one, because it is useless next to a name of three letters.
    func addColumns(to columns: inout Columns<SubjectRow>, shown: KernelSubject?) {
        let widest = rows.compactMap(\.figure).map(DisplayWidth.of).max() ?? 0
        let measured = rows.filter(\.isMeasured)
        // Figures of another machine are dim; if there are no others, the header says so too.
        let title = !measured.isEmpty && measured.allSatisfy(\.isElsewhere) ? "recorded" : "of roof"
        let nothing = Table.Cell(String(Character(columns.theme.glyphs.nothing)), .faint)
        columns.add("kernel", minimum: 10, weight: 2) { .init($0.title, $0.id == shown ? .accent : .text) }
        columns.add("best", minimum: 9, weight: 1, priority: 2) { .init($0.detail, .dim) }
        columns.add(title, align: .right, minimum: max(DisplayWidth.of(title), widest), priority: 1) { row in
            row.figure.map { .init($0, row.role) } ?? nothing
        }
    }

    /// The columns that names, rungs, and figures fill, with a frame.
    var columnsNeeded: Int {
        func widest(_ text: (SubjectRow) -> String) -> Int { rows.map { DisplayWidth.of(text($0)) }.max() ?? 0 }
        let details = widest(\.detail)
        // The table gives the name two parts and the rung one.
        let names = max(widest(\.title), 2 * details)
        return names + details + max(8, widest { $0.figure ?? "" }) + 4 + ListView.gutter + 1 + 2
    }
}
