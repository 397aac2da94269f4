import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import System
import Training

extension TrainCommand {
    struct Gradient: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "gradient", abstract: "Differentiate a short calculation with respect to every variable.",
            discussion: """
                Statements are assignments, separated by ; or line breaks: c = a + b; d = a * b + b^3. The last \
                assigned name is differentiated with respect to every name; gradients of inputs are checked with \
                central differences.
                """)

        @Argument(help: "Statements; - reads standard input.")
        var program: String

        @Option(name: .customLong("let"), help: "Input, such as a=-4; repeatable.")
        var inputs: [String] = []

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let text = program == "-" ? String(decoding: try SmallFile.bytes("/dev/stdin"), as: UTF8.self) : program
                let results = try ScalarProgram(text).run(try inputs.map(Self.input))
                output.json ? Output.json(GradientReport(results: results)) : show(results)
            }
        }

        private static func input(_ text: String) throws -> (name: String, value: Double) {
            let halves = text.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
            guard halves.count == 2, !halves[0].isEmpty, let value = Double(halves[1]) else {
                throw Failure("--let \"\(text)\" is not an input. Write a name, =, and a number, as in a=-4.")
            }
            return (halves[0], value)
        }

        private func show(_ results: [ScalarProgram.Result]) {
            guard let last = results.last else { return }
            var table = TextTable(
                ["name", "value", "d\(last.name)/dname", "by differences"], rightAligned: [1, 2, 3])
            for result in results {
                table.add([
                    result.name, Format.fixed(result.value, digits: 4), Format.fixed(result.gradient, digits: 4),
                    result.numericGradient.map { Format.fixed($0, digits: 4) } ?? "",
                ])
            }
            Output.result(table.text)
        }
    }
}

private struct GradientReport: JSONRepresentable {
    let results: [ScalarProgram.Result]

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("results") { json in
                json.array { json in
                    for result in results {
                        json.object {
                            $0.member("name", result.name)
                            $0.member("value", result.value)
                            $0.member("gradient", result.gradient)
                            $0.member("numeric_gradient", ifPresent: result.numericGradient)
                        }
                    }
                }
            }
        }
    }
}
