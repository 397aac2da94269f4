internal import Console
internal import Formatting
internal import KernelLab
internal import Presentation
internal import Tables

extension OpenProfile {
    /// Adds the columns of the launches, or of the pairs of two profiles.
    func addColumns(to columns: inout Columns<Row>) {
        let nothing = String(Character(columns.theme.glyphs.nothing))
        if comparison == nil {
            addLaunchColumns(to: &columns, nothing)
        } else {
            addChangeColumns(to: &columns, nothing)
        }
    }

    private func addLaunchColumns(to columns: inout Columns<Row>, _ nothing: String) {
        func figure(_ text: String?, _ role: Role) -> Table.Cell { .init(text ?? nothing, text == nil ? .faint : role) }
        columns.add(shared: "#", of: launch, minimum: 4, priority: 5) { _ in .dim }
        columns.add("kernel", minimum: 22, weight: 1) { .init(FigureText.shortName(launch($0).launch.name)) }
        columns.add("time", align: .right, minimum: 7) {
            figure(launch($0).launch.duration.map(Format.time(seconds:)), .text)
        }
        columns.add("share", align: .right, minimum: 6, priority: 4) { row in
            .init(launch(row).share.map { Format.percent($0) } ?? "", .dim)
        }
        columns.add("rate", align: .right, minimum: 12, priority: 3) { row in
            let rate = launch(row).launch.rate
            return figure(rate.value.flatMap { $0 > 0 ? FigureText.rate(rate) : nil }, .dim)
        }
        columns.add("reached", align: .right, minimum: 7, priority: 1) { row in
            figure(launch(row).standing.map { $0.sign + Format.percent($0.share, digits: 0) }, .text)
        }
        columns.add("of", minimum: 11, priority: 2) { figure(launch($0).standing?.limit.name, .dim) }
    }

    private func addChangeColumns(to columns: inout Columns<Row>, _ nothing: String) {
        func change(_ row: Row) -> Change { changes[row.id] }
        func time(_ launch: Launch?) -> String { launch?.duration.map(Format.time(seconds:)) ?? nothing }
        columns.add("kernel", minimum: 12, weight: 1) { .init(FigureText.shortName(change($0).name)) }
        columns.add("before", align: .right, minimum: 7) { .init(time(change($0).before), .dim) }
        columns.add("after", align: .right, minimum: 7) { .init(time(change($0).after)) }
        columns.add("speed-up", align: .right, minimum: 8) { row in
            let change = change(row)
            if change.before == nil { return .init("new", .new) }
            if change.after == nil { return .init("gone", .dim) }
            guard let speedup = change.speedup else { return .init(nothing, .faint) }
            return .init(
                Format.fixed(speedup, digits: 2) + "×", speedup > 1.02 ? .success : speedup < 0.98 ? .failure : .dim)
        }
    }
}
