import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import KernelLab
import Kernels
import System
import Workbench
import Workspace

extension KernelCommand {
    struct Ceilings: ParsableCommand {
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

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let ceilings = last ? try Self.kept(place) : try measured()
                if output.json { return Output.json(ceilings) }
                Output.result(CeilingText(ceilings: ceilings).text)
            }
        }

        private func measured() throws -> KernelLab.Ceilings {
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

        private static func kept(_ place: WorkspaceOptions) throws -> KernelLab.Ceilings {
            let kept = place.isUnused ? nil : try KernelHistory(try place.openForReading()).latestCeilings()
            guard let kept else {
                throw Problem(
                    .missing, "", "no measurement of this machine yet",
                    remedy: "To measure, run: orrery kernel ceilings")
            }
            return kept
        }
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
            compute.text, bandwidth.text,
            "latency  "
                + ceilings.latencies.map { "\($0.level.rawValue) \(Format.time(seconds: $0.nanoseconds * 1e-9))" }
                .joined(separator: "   "),
            "clock  \(Format.fixed(ceilings.clock.median / 1e9, digits: 2)) GHz",
            ceilings.conditions.sentence, ceilings.counters,
        ]
        parts += ceilings.notes
        return parts[0] + "\n\n" + parts[1] + "\n\n" + parts[2] + "\n\n" + parts[3...].joined(separator: "\n")
    }

    private func heading(_ first: String) -> [String] {
        [first] + ceilings.sets.flatMap { ["\($0.threads) thread\($0.threads == 1 ? "" : "s")", "best"] }
    }

    private var rightAligned: Set<Int> { Set(1...max(1, 2 * ceilings.sets.count)) }

    private var compute: TextTable {
        var table = TextTable(heading("arithmetic"), rightAligned: rightAligned)
        for ceiling in ceilings.sets.first?.compute ?? [] {
            table.add(
                [ceiling.name]
                    + ceilings.sets.flatMap { set -> [String] in
                        guard let found = set.compute.first(where: { $0.name == ceiling.name }) else {
                            return ["", ""]
                        }
                        return [found.rate.median, found.rate.best].map {
                            Format.rate(operationsPerSecond: $0, isFloatingPoint: found.arithmetic.isFloatingPoint)
                        }
                    })
        }
        return table
    }

    private var bandwidth: TextTable {
        var table = TextTable(heading("memory"), rightAligned: rightAligned)
        for ceiling in ceilings.sets.first?.memory ?? [] {
            table.add(
                ["\(ceiling.level.rawValue) \(ceiling.kernel.rawValue)"]
                    + ceilings.sets.flatMap { set -> [String] in
                        let found = set.memory.first { $0.level == ceiling.level && $0.kernel == ceiling.kernel }
                        return found.map {
                            [Format.rate(bytesPerSecond: $0.rate.median), Format.rate(bytesPerSecond: $0.rate.best)]
                        }
                            ?? ["", ""]
                    })
        }
        return table
    }
}
