import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import System
import Tables
import Training

extension TrainCommand {
    struct Gradient: ReadingCommand {
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

        @OptionGroup var reading: TableOptions

        func result(in options: TableOptions) throws -> Listing<ScalarProgram.Result> {
            let text = program == "-" ? String(decoding: try SmallFile.bytes("/dev/stdin"), as: UTF8.self) : program
            let results = try ScalarProgram(text).run(try inputs.map(Self.input))
            return Listing(results, "results") { table in
                table.text("name", json: "name", \.name)
                table.text("value", json: "value", align: .right, \.value) { Format.fixed($0, digits: 4) }
                let title = "d\(results.last?.name ?? "")/dname"
                table.text(title, json: "gradient", align: .right, \.gradient) { Format.fixed($0, digits: 4) }
                table.text("by differences", ifPresent: "numeric_gradient", align: .right, \.numericGradient) {
                    Format.fixed($0, digits: 4)
                }
            }
        }

        private static func input(_ text: String) throws -> (name: String, value: Double) {
            let halves = text.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
            guard halves.count == 2, !halves[0].isEmpty, let value = Double(halves[1]) else {
                throw Failure("--let \"\(text)\" is not an input. Write a name, =, and a number, as in a=-4.")
            }
            return (halves[0], value)
        }
    }
}
