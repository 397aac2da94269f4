import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import ModelLab
import Models
import System
import Tokenizers

extension FeatureCommand {
    struct Vector: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "vector",
            abstract: "Make a steering vector between two kinds of text.",
            discussion: """
                --toward and --away name files with one prompt per line; the vector is the difference between the \
                means of their last tokens (CAA). --wanted and --unwanted are two prompts; the vector is the \
                difference between their last tokens (ActAdd). Apply the vector with orrery attention steer.
                """)

        @OptionGroup var model: ModelFileArgument

        @Option(help: "Hook, such as blocks.3.hook_resid_post.")
        var hook: String

        @Option(help: "File of wanted prompts, one per line.", completion: .file())
        var toward: String?

        @Option(help: "File of unwanted prompts, one per line.", completion: .file())
        var away: String?

        @Option(help: "One wanted prompt.")
        var wanted: String?

        @Option(help: "One unwanted prompt.")
        var unwanted: String?

        @Flag(help: "Scale the vector's unit to the hook's mean row length.")
        var norms = false

        @Option(
            name: [.customShort("o"), .customLong("output")], help: "File to write.",
            completion: .file(extensions: ["safetensors"]))
        var target: String

        func validate() throws {
            let isPair = wanted != nil && unwanted != nil && toward == nil && away == nil
            let isContrast = toward != nil && away != nil && wanted == nil && unwanted == nil
            guard isPair || isContrast else {
                throw ValidationError("--toward and --away, or --wanted and --unwanted, are required.")
            }
            guard target.hasSuffix(".safetensors") else {
                throw ValidationError("-o requires a .safetensors file.")
            }
        }

        func run() throws {
            try answering {
                let opened = try OpenedCheckpoint(path: try model.path())
                guard !ModelPath.exists(target) else {
                    throw Problem(.invalid, "", "\(target) already exists", remedy: "Choose another file.")
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
                Output.note("wrote \(target): \(vector.method), length \(Format.fixed(Double(vector.norm), digits: 3))")
            }
        }

        private func prompts(_ path: String?, _ prompt: String?, _ opened: OpenedCheckpoint) throws -> [[TokenID]] {
            if let prompt { return [try opened.prompt(prompt)] }
            let lines = try SmallFile.text(path ?? "").split(whereSeparator: \.isNewline)
            guard !lines.isEmpty else {
                throw Problem(.missing, "", "\(path ?? "") contains no prompts", remedy: "Write one prompt per line.")
            }
            return try lines.map { try opened.prompt(String($0)) }
        }
    }
}
