import ArgumentParser
import CommandSupport
import Interpretability
import Models
import System

extension AttentionCommand {
    struct Paths: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "paths", abstract: "Find the heads that affect chosen inputs, by path patching.",
            discussion: """
                Each head's output on the corrupt prompt is patched into the clean run, but only the receivers read \
                it: --to q:5.1 is the query of head 1 in layer 5, k: and v: are keys and values, mlp:3 is a \
                feed-forward layer, and logits is the output. If you name several receivers, they are patched together.
                """)

        @OptionGroup var model: ModelFileArgument

        @Option(help: "Prompt that leads to the answer.")
        var clean: String

        @Option(help: "Equally long prompt that leads to a different answer.")
        var corrupt: String

        @OptionGroup var answers: AnswerOptions

        @Option(
            name: .customLong("to"), parsing: .upToNextOption,
            help: "Patched inputs: q:L.H, k:L.H, v:L.H, mlp:L, or logits.")
        var receivers: [PathReceiver] = [PathReceiver(receiver: .logits)]

        @Flag(help: "Patch clean outputs into the corrupt run instead.")
        var denoising = false

        @Flag(help: "Freeze feed-forward layers; only the residual stream carries changes.")
        var direct = false

        @OptionGroup var reading: JSONOption

        func result(in options: JSONOption) throws -> Report<PatchReport> {
            let opened = try OpenedCheckpoint(path: try model.path())
            let (first, second) = (
                try opened.prompt(PromptOptions.text(clean)), try opened.prompt(PromptOptions.text(corrupt))
            )
            let runtime = try opened.runtime()
            for one in receivers { try one.check(runtime) }
            let metric = try answers.metric(opened, runtime, clean: first, corrupt: second)
            let map = try MapRun.follow("patching paths") { progress, isCancelled in
                try PathPatching(
                    runtime, clean: first, corrupt: second, metric: metric,
                    direction: denoising ? .denoising : .noising, holdsFeedForwards: direct
                ).map(to: receivers.map(\.receiver), progress: progress, isCancelled: isCancelled)
            }
            return PatchReport(map: map).result(metric, opened)
        }
    }
}

/// A receiver, such as `q:5.1`, `mlp:3`, or `logits`.
struct PathReceiver: ExpressibleByArgument {
    let receiver: PathPatching<Float>.Receiver

    init(receiver: PathPatching<Float>.Receiver) { self.receiver = receiver }

    init?(argument: String) {
        let halves = argument.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = halves.last?.split(separator: ".", omittingEmptySubsequences: false).compactMap { Int($0) } ?? []
        guard numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        switch (halves.first, halves.count, numbers.count) {
        case ("logits", 1, _): receiver = .logits
        case ("q", 2, 2): receiver = .query(layer: numbers[0], head: numbers[1])
        case ("k", 2, 2): receiver = .key(layer: numbers[0], head: numbers[1])
        case ("v", 2, 2): receiver = .value(layer: numbers[0], head: numbers[1])
        case ("mlp", 2, 1): receiver = .feedForward(layer: numbers[0])
        default: return nil
        }
    }

    var defaultValueDescription: String { receiver.name }

    /// - Throws: `Problem` if the model has no such part; there may be fewer key-value heads than query heads.
    func check(_ model: RuntimeModel) throws {
        let heads = model.configuration.headCount
        let shared = model.configuration.kvHeadCount
        let (layer, head, most): (Int, Int, Int) =
            switch receiver {
            case .query(let layer, let head): (layer, head, heads)
            case .key(let layer, let head), .value(let layer, let head): (layer, head, shared)
            case .feedForward(let layer): (layer, 0, 1)
            case .logits: (0, 0, 1)
            }
        guard layer < model.layerCount, head < most else {
            throw Problem(
                .unknown, "", "unknown part \(receiver.name)",
                remedy: "The model has layers 0 to \(model.layerCount - 1), \(heads) heads, and \(shared) "
                    + "key-value heads. Choose one of them.")
        }
    }
}
