import ArgumentParser
import Workspace

/// The `orrery-bench` command: measurements and checks for `Benchmarks/`, which compares Orrery with other programs.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orrery-bench",
        abstract: "Measurements and checks of Orrery for its developers.",
        version: ProgramVersion.number,
        subcommands: [
            Trace.self, Corpus.self, Model.self, Train.self, Attention.self, Feature.self, Eval.self, Kernel.self,
            SurfacesCommand.self,
        ])

    struct Trace: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trace", abstract: "Read damaged traces.", subcommands: [Fuzz.self])
    }

    struct Model: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "model", abstract: "Measure, compare, and damage models, tokenizers, and templates.",
            subcommands: [
                LogitsOfTokens.self, DecodedTensor.self, Encode.self, Detokenize.self, RenderLines.self, Greedy.self,
                Pace.self, Fuzz.self,
            ])
    }

    struct Train: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "train", abstract: "Compare training with other libraries.", subcommands: [Compare.self])
    }

    struct Kernel: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "kernel", abstract: "Check bits of results and the detection of regressions.",
            subcommands: [Bits.self, Trial.self])
    }
}
