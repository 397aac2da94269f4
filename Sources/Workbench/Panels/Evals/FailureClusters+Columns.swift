internal import Console
internal import Evals
internal import Formatting
internal import Tables
internal import Traces

extension FailureClusters {
    /// Adds the columns of the list of groups.
    func addColumns(to columns: inout Columns<Cluster>) {
        let theme = columns.theme
        let most = Double(max(1, clusters.map(\.samples.count).max() ?? 1))
        columns.add("samples", align: .right, minimum: 7) { .init(Format.count($0.samples.count), .strong) }
        // `99.97 %` is the widest share.
        columns.add("share", align: .right, minimum: 7, priority: 2) { cluster in
            .init(Format.share(Double(cluster.samples.count) / Double(max(1, failed))), .dim)
        }
        columns.add("", minimum: 10, weight: 1, priority: 3) { cluster, surface, area, state in
            let length = Int((Double(cluster.samples.count) / most * Double(area.columns)).rounded())
            surface.fill(
                Rect(column: area.column, row: area.row, columns: min(area.columns, max(1, length)), rows: 1),
                with: theme.glyphs.heavyLine, style: theme.style(cluster.cause.role, in: state))
        }
        columns.add("cause", minimum: 20, weight: 4) { .init($0.title, $0.cause.role) }
    }
}

extension FailureCause {
    /// Color of the cause: errors and missing scores differ from wrong answers.
    var role: Role {
        switch self {
        case .error, .toolError: .warning
        case .unscored: .dim
        default: .failure
        }
    }
}
