import ArgumentParser
import Interpretability
import Models

extension AttentionCommand {
    struct Paths: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "paths", abstract: "Say which heads tell chosen inputs what they know: path patching.",
            discussion: """
                Each head's output on the corrupt prompt is put into the clean run, but only the receivers hear of it: \
                --to q:5.1 is what head 1 of layer 5 asks for, k: and v: what it finds, mlp:3 a feed-forward, logits \
                the end. Several receivers hear at once.
                """)

        @OptionGroup var model: ModelFileArgument

        @Option(help: "The prompt with the answer.")
        var clean: String

        @Option(help: "The same with another answer.")
        var corrupt: String

        @OptionGroup var answers: AnswerOptions

        @Option(
            name: .customLong("to"), parsing: .upToNextOption, help: "Who hears: q:L.H, k:L.H, v:L.H, mlp:L, logits.")
        var receivers: [PathReceiver] = [PathReceiver(receiver: .logits)]

        @Flag(help: "Put clean outputs into the corrupt run instead.")
        var denoising = false

        @Flag(help: "Hold feed-forwards too, so that only the residual stream leads there.")
        var direct = false

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let opened = try OpenedCheckpoint(path: try model.path())
                let (first, second) = (
                    try opened.prompt(PromptOptions.text(clean)), try opened.prompt(PromptOptions.text(corrupt))
                )
                let runtime = try opened.runtime()
                for one in receivers { try one.check(runtime) }
                let metric = try answers.metric(opened, runtime, clean: first, corrupt: second)
                let map = try MapRun.follow("following paths") { progress, isCancelled in
                    try PathPatching(
                        runtime, clean: first, corrupt: second, metric: metric,
                        direction: denoising ? .denoising : .noising, holdsFeedForwards: direct
                    ).map(to: receivers.map(\.receiver), progress: progress, isCancelled: isCancelled)
                }
                try PatchReport(map: map).print(metric, opened, json: output.json)
            }
        }
    }
}

/// `q:5.1`, `mlp:3`, `logits`.
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

    /// - Throws: a sentence where the model has no such part; heads of keys and values may be fewer than heads.
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
            throw Failure(
                "\(receiver.name): this model has layers 0 to \(model.layerCount - 1), \(heads) heads, and \(shared) of "
                    + "keys and values.")
        }
    }
}
