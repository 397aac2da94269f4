import ArgumentParser
import CommandSupport
import Glibc
import JSON
import Models
import System
import Tokenizers

extension Bench.Model {
    /// Damages model files in many ways and reads each result, to test the readers of files and templates.
    struct Fuzz: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "fuzz")

        @Argument(help: "Kind: gguf, safetensors, config.json, llama2c, tokenizer.json, or template.") var kind: String
        @Argument(help: "Files to damage; not needed for template.") var paths: [String] = []
        @Option var seed: UInt64 = 1
        @Option(help: "Total number of damaged files.") var count: Int = 10_000
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let report = try report()
                var usage = rusage()
                getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
                var json = JSONWriter(style: .pretty)
                json.object {
                    $0.member("mutations", report.runs)
                    $0.member("refused", report.refused)
                    $0.member("read", report.read)
                    $0.member("violations", report.violations)
                    $0.member("peak_rss_mb", Double(usage.ru_maxrss) / 1024)
                }
                Output.result(json.text)
                if !report.violations.isEmpty { throw ExitCode(1) }
            }
        }

        private func report() throws -> FuzzReport {
            if kind == "template" {
                return TemplateFuzzer.run(on: try paths.map { try SmallFile.text($0) }, seed: seed, count: count)
            }
            guard !paths.isEmpty else { throw Failure("at least one file is required.") }
            var report = FuzzReport()
            for (index, path) in paths.enumerated() {
                let bytes = try SmallFile.bytes(path)
                let share = count / paths.count + (index < count % paths.count ? 1 : 0)
                let own = seed &+ UInt64(index) << 32
                let part: FuzzReport
                if kind == "tokenizer.json" {
                    part = TokenizerFileFuzzer.run(on: bytes, seed: own, count: share)
                } else if let kind = ModelFileFuzzer.Kind(rawValue: kind) {
                    part = FuzzReport(ModelFileFuzzer.run(kind, on: bytes, seed: own, count: share))
                } else {
                    throw Failure(
                        "unknown kind \"\(kind)\". Use gguf, safetensors, config.json, llama2c, tokenizer.json, or "
                            + "template."
                    )
                }
                report.runs += part.runs
                report.refused += part.refused
                report.read += part.read
                report.violations += part.violations.map { "\(path): \($0)" }
            }
            return report
        }
    }
}

extension FuzzReport {
    fileprivate init(_ report: ModelFileFuzzer.Report) {
        self.init()
        runs = report.runs
        refused = report.refused
        read = report.read
        violations = Array(report.wordless.prefix(20))
    }
}
