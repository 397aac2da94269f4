import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import KernelLab
import Kernels
import Presentation
import System
import Tables
import Workspace

extension KernelCommand {
    struct Ceilings: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "ceilings", abstract: "Measure this machine's peaks, bandwidths, and latencies.",
            discussion: """
                The measurement takes about 20 seconds, and the workspace stores the result for each machine. Other \
                work on the machine lowers the figures, so leave the machine idle until it finishes.
                """)

        @Flag(help: "Take fewer samples, in about 5 seconds.")
        var quick = false

        @Flag(help: "Print the last measurement instead of measuring.")
        var last = false

        @OptionGroup var reading: WorkspaceJSON

        func result(in options: WorkspaceJSON) throws -> Report<KernelLab.Ceilings> {
            let ceilings = last ? try KernelCommand.lastCeilings(options.place) : try measured(options.place)
            return Report(ceilings) { CeilingText(ceilings: ceilings).text }
        }

        private func measured(_ place: WorkspaceOptions) throws -> KernelLab.Ceilings {
            let line = FractionLine("measuring")
            defer { line.end() }
            let cancellation = Cancellation()
            let ceilings = try Interruption.cancelling(cancellation) {
                try CeilingMeasurement.run(
                    quick: quick, progress: { line.show($0.fraction, $0.activity) }, cancellation: cancellation)
            }
            try KernelHistory(try place.open()).save(ceilings)
            return ceilings
        }
    }

    /// Returns the last measurement of this machine.
    static func lastCeilings(_ place: WorkspaceOptions) throws -> KernelLab.Ceilings {
        let last = place.isUnused ? nil : try KernelHistory(try place.openForReading()).latestCeilings()
        guard let last else {
            throw Problem(
                .missing, "", "no measurement of this machine yet", remedy: "To measure, run: orrery kernel ceilings")
        }
        return last
    }
}

/// Ceilings as tables.
struct CeilingText {
    let ceilings: KernelLab.Ceilings

    var text: String {
        let machine = ceilings.machine
        let caches = machine.caches.map { "L\($0.level) \(Format.bytes($0.bytes))" }.joined(separator: ", ")
        var parts = [
            "\(machine.processor), \(machine.processors) processors, \(caches)\n\(machine.features)",
            compute, bandwidth,
            "latency  "
                + ceilings.latencies.map { "\($0.level.rawValue) \(Format.time(seconds: $0.nanoseconds * 1e-9))" }
                .joined(separator: "   "),
            "clock  \(Format.fixed(ceilings.clock.median / 1e9, digits: 2)) GHz",
            ceilings.conditions.sentence, ceilings.counters,
        ]
        parts += ceilings.notes
        return parts[0] + "\n\n" + parts[1] + "\n\n" + parts[2] + "\n\n" + parts[3...].joined(separator: "\n")
    }

    private var compute: String {
        table(ceilings.sets.first?.compute ?? [], "arithmetic", \.name) { set, row in
            let found = set.compute.first { $0.name == row.name }
            return found.map { ($0.rate, Self.operations($0.arithmetic.isFloatingPoint)) }
        }
    }

    private static func operations(_ isFloatingPoint: Bool) -> (Double) -> String {
        { Format.rate(operationsPerSecond: $0, isFloatingPoint: isFloatingPoint) }
    }

    private var bandwidth: String {
        table(ceilings.sets.first?.memory ?? [], "memory", { "\($0.level.rawValue) \($0.kernel.rawValue)" }) {
            set, row in
            let found = set.memory.first { $0.level == row.level && $0.kernel == row.kernel }
            return found.map { ($0.rate, { Format.rate(bytesPerSecond: $0) }) }
        }
    }

    /// Returns a table with the median and the best rate for each number of threads.
    private func table<Row>(
        _ rows: [Row], _ title: String, _ name: @escaping (Row) -> String,
        _ rate: @escaping (KernelLab.Ceilings.ThreadSet, Row) -> (MeasuredRate, (Double) -> String)?
    ) -> String {
        Columns { table in
            table.text(title, name)
            for set in ceilings.sets {
                table.text(Format.count(set.threads, "thread"), align: .right) { row in
                    rate(set, row).map { $1($0.median) } ?? ""
                }
                table.text("best", align: .right) { row in rate(set, row).map { $1($0.best) } ?? "" }
            }
        }.text(rows)
    }
}
