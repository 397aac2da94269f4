import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import KernelLab
import Presentation
import System
import Tables
import Training
import TrainingLab
import Workspace

extension TrainCommand {
    struct List: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the runs with their progress and losses.")

        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> Listing<RunSummary> {
            Listing(
                try options.workspace().map { try RunStore($0).runs() } ?? [], "runs",
                empty: "no runs yet. To start one, run: orrery train CONFIG.toml", isEmptyNote: true)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a run: its curves, samples, and events.",
            discussion:
                "By default, the losses are drawn; choose other curves with --series. --json prints every point of "
                + "these curves."
        )

        @OptionGroup var argument: RunArgument

        @Option(help: "Curve name; repeatable.")
        var series: [String] = []

        @Flag(help: "Use a logarithmic scale for values.")
        var log = false

        @Option(help: "Smoothing weight of past values: 0 or more, below 1.")
        var smoothing = 0.0

        @Option(help: "Chart size in columns and rows.")
        var size = ScreenSize(columns: 80, rows: 20)

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard (0..<1).contains(smoothing) else {
                throw ValidationError("--smoothing must be at least 0 and below 1.")
            }
        }

        func run() throws {
            try answering {
                let workspace = try place.openForReading()
                let store = RunStore(workspace)
                let run = try argument.find(in: store)
                let known = try store.series(of: run.id).map(\.name)
                let arithmetic = try TrainingArithmetic(
                    of: run, in: store, ceilings: KernelHistory(workspace).latestCeilings())
                for name in series where !known.contains(name) {
                    throw Problem(
                        .missing, "", "\(run.name) has no curve \"\(name)\"",
                        remedy: "Available: \(known.prefix(12).joined(separator: ", ")).")
                }
                let usual = [RunSeries.trainLoss, RunSeries.validationLoss].filter(known.contains)
                let names = series.isEmpty ? (usual.isEmpty ? Array(known.prefix(2)) : usual) : series
                if output.json {
                    Output.result(try json(run, names, arithmetic, store))
                } else {
                    try print(run, names, known, arithmetic, store)
                }
            }
        }

        private func json(
            _ run: RunSummary, _ names: [String], _ arithmetic: TrainingArithmetic?, _ store: RunStore
        ) throws -> String {
            var json = JSONWriter()
            try json.object { json in
                json.member("run", run)
                json.member("configuration", ifPresent: try store.description(of: run.id)?.configuration)
                json.member("arithmetic", ifPresent: arithmetic)
                json.key("curves")
                try json.object { json in
                    for name in names {
                        guard let points = try store.points(of: run.id, name) else { continue }
                        json.key(name)
                        json.object { json in
                            json.member("steps", points.steps)
                            json.key("values")
                            json.array { json in
                                for value in points.values {
                                    if value.isFinite { json.number(value) } else { json.null() }
                                }
                            }
                        }
                    }
                }
                json.objects("events", of: (try? store.events(of: run.id)) ?? []) { event, json in
                    json.member("step", event.step)
                    json.member("kind", "\(event.kind)")
                    json.member("text", event.text)
                }
            }
            return json.text
        }

        private func print(
            _ run: RunSummary, _ names: [String], _ known: [String], _ arithmetic: TrainingArithmetic?,
            _ store: RunStore
        ) throws {
            var lines = [
                "\(Printable.line(run.name))  \(run.state)  step \(Format.count(run.step, of: run.steps))"
                    + (run.parameters > 0 ? "  \(Format.count(run.parameters)) parameters" : "")
                    + (run.batch > 0 ? "  \(Format.count(run.batch)) \(run.unit) per step" : "")
            ]
            let roles: [Role] = [.series1, .series2, .series3, .series4]
            let request = CurveRequest(columns: max(8, size.columns * 2), smoothing: smoothing)
            let curves = try store.curves(names.map { CurveSource(run: run.id, series: $0) }, request)
            let drawn = curves.enumerated().map { index, curve in
                LineChart.Series(
                    curve.series, curve.buckets.map { ($0.lastX, smoothing > 0 ? $0.smoothed : $0.mean) },
                    role: roles[index % roles.count])
            }
            var surface = Surface(Size(size.columns, size.rows))
            LineChart(drawn, vertical: log ? .logarithmic : .linear).draw(
                into: &surface, in: surface.bounds, theme: .dark)
            lines += ["", surface.textDump, ""]
            for curve in curves {
                guard let last = curve.last else { continue }
                lines.append(
                    "\(curve.series)  \(Format.loss(last.value)) at step \(Format.count(last.x))")
            }
            if let arithmetic {
                lines += ["arithmetic  \(arithmetic.text)", "of the roof  \(arithmetic.shareText)"]
                lines += arithmetic.share.map(FigureText.remarks) ?? []
            }
            if let sample = try store.samples(of: run.id, limit: 1).last {
                lines += ["", "step \(sample.step)  \(Printable.text(sample.prompt))\(Printable.text(sample.text))"]
            }
            for event in try store.events(of: run.id).filter({ $0.kind != .checkpoint }).prefix(4).reversed() {
                lines.append("step \(event.step)  \(event.kind)  \(Printable.text(event.text))")
            }
            Output.result(lines.joined(separator: "\n"))
            let others = known.filter { !names.contains($0) && !$0.contains("norm/") && !$0.hasPrefix("update_ratio/") }
            if !others.isEmpty { Output.note("other curves: \(others.prefix(8).joined(separator: ", "))") }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a run. Checkpoints stay, and train undo restores the run.")

        @OptionGroup var argument: RunArgument
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = RunStore(try place.openExisting())
                let run = try argument.find(in: store)
                guard run.state != .running && run.state != .paused else {
                    throw Problem(
                        .failed, "", "\(run.name) is \(run.state)",
                        remedy: "Stop the run first: orrery train stop \(run.id)")
                }
                try store.delete([run.id])
                Output.result(
                    "deleted \(run.name). To restore the run, use orrery train undo"
                        + (run.folder.map { "; its checkpoints stay in \($0)" } ?? ""))
            }
        }
    }

    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo", abstract: "Undo the last deletion or rename.")

        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let undone = try RunStore(try place.openExisting()).undo()
                Output.result(undone.map(Printable.line) ?? "nothing to undo")
            }
        }
    }
}
