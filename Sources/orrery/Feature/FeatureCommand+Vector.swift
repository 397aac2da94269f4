import ArgumentParser
import Console
import Interpretability
import ModelLab
import Models
import Tokenizers

extension FeatureCommand {
    struct Vector: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "vector",
            abstract: "Make a steering vector: the way from one kind of text to another, inside a model.",
            discussion: """
                --toward and --away name files with a prompt a line; the vector is the difference of the means of their \
                last tokens (CAA). --wanted and --unwanted are two prompts: the difference of their last tokens (ActAdd). \
                orrery attention steer pushes along it.
                """)

        @OptionGroup var model: ModelFileArgument

        @Option(help: "The hook, such as blocks.3.hook_resid_post.")
        var hook: String

        @Option(help: "Prompts of what is wanted, one a line.", completion: .file())
        var toward: String?

        @Option(help: "Prompts of what is not, one a line.", completion: .file())
        var away: String?

        @Option(help: "One prompt of what is wanted.")
        var wanted: String?

        @Option(help: "One prompt of what is not.")
        var unwanted: String?

        @Flag(help: "Measure it in mean lengths of the hook's rows: --times 1 is as long as they are.")
        var norms = false

        @Option(
            name: [.customShort("o"), .customLong("output")], help: "The file to write.",
            completion: .file(extensions: ["safetensors"]))
        var target: String

        func validate() throws {
            let isPair = wanted != nil && unwanted != nil && toward == nil && away == nil
            let isContrast = toward != nil && away != nil && wanted == nil && unwanted == nil
            guard isPair || isContrast else {
                throw ValidationError("name --toward and --away, or --wanted and --unwanted.")
            }
            guard target.hasSuffix(".safetensors") else { throw ValidationError("-o takes a .safetensors file.") }
        }

        func run() throws {
            try answering {
                let opened = try OpenedCheckpoint(path: try model.path())
                guard !ModelPath.exists(target) else {
                    throw Failure("\(target): is there already, and stays. Name another file.")
                }
                let runtime = try opened.runtime()
                let place = try Hook.named(hook, among: runtime.hooks)
                let (good, bad) = (try prompts(toward, wanted, opened), try prompts(away, unwanted, opened))
                let cancelling = Cancelling()
                let vector = try cancelling.run {
                    let made =
                        try wanted != nil
                        ? SteeringVector.pair(
                            runtime, wanted: good[0], unwanted: bad[0], hook: place, isAligned: false)
                        : SteeringVector.contrast(
                            runtime, wanted: good, unwanted: bad, hook: place,
                            isCancelled: { cancelling.isCancelled })
                    return norms ? try made.inResidualNorms(of: runtime, over: good + bad) : made
                }
                try vector.write(to: target)
                Output.note("\(target): \(vector.method), length \(Format.fixed(Double(vector.norm), digits: 3))")
            }
        }

        private func prompts(_ path: String?, _ prompt: String?, _ opened: OpenedCheckpoint) throws -> [[TokenID]] {
            if let prompt { return [try opened.prompt(prompt)] }
            let lines = try SmallFile.text(path ?? "").split(whereSeparator: \.isNewline)
            guard !lines.isEmpty else { throw Failure("\(path ?? ""): has no prompts: write one a line.") }
            return try lines.map { try opened.prompt(String($0)) }
        }
    }
}
