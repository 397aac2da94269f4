import ArgumentParser
import CommandSupport
import Evals
import JSON
import Statistics

extension Bench.Eval {
    /// Measures coverage and length of the interval of a pass rate over all cases of the bar.
    struct Coverage: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "coverage", abstract: "Measure the coverage of pass rate intervals on synthetic data.")
        @Option(help: "Runs per case.") var runs = 2_000

        func run() throws {
            let found = Simulation.coverage(of: Simulation.cases, runs: runs, seed: 1)
            var json = JSONWriter(style: .compact)
            json.object { json in
                json.member("cases") { json in
                    json.array { json in
                        for one in found { Self.write(one, to: &json) }
                    }
                }
            }
            Output.result(json.text)
        }

        private static func write(_ one: Simulation.Coverage, to json: inout JSONWriter) {
            json.object {
                $0.member("share", one.name.share)
                $0.member("samples", one.name.count)
                $0.member("shape", one.name.shapeName)
                $0.member("clusters", one.name.clusterCount)
                $0.member("correlation", one.name.correlation)
                $0.member("model", one.name.model.rawValue)
                $0.member("variance", one.name.variance)
                $0.member("runs", one.runs)
                $0.member("coverage", one.shown.coverage)
                $0.member("width", one.shown.width)
                $0.member("wilson_coverage", one.wilson.coverage)
                $0.member("wilson_width", one.wilson.width)
                $0.member("student_coverage", one.student.coverage)
                $0.member("student_width", one.student.width)
                $0.member("known_coverage", one.known.coverage)
            }
        }
    }
}
