import ArgumentParser
import CommandSupport
import Glibc
import JSON
import System
import Traces

extension Bench.Trace {
    /// Damages a recorded file in many ways and reads each result, to test the importers.
    struct Fuzz: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "fuzz")

        @Argument var path: String
        @Option var format: String
        @Option var seed: UInt64 = 1
        @Option var count: Int = 10_000
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let bytes = try SmallFile.bytes(path)
                guard let report = TraceFuzzer.run(format: format, seed: seed, count: count, on: bytes) else {
                    throw Failure("unknown format \"\(format)\". Use the name of a trace format.")
                }
                var usage = rusage()
                getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
                var json = JSONWriter(style: .pretty)
                json.object {
                    $0.member("mutations", report.runs)
                    $0.member("violations", report.violations)
                    $0.member("bytes", report.bytes)
                    $0.member("records", report.records)
                    $0.member("skipped", report.skipped)
                    $0.member("peak_rss_mb", Double(usage.ru_maxrss) / 1024)
                }
                Output.result(json.text)
                if !report.violations.isEmpty { throw ExitCode(1) }
            }
        }
    }
}
