internal import Glibc
internal import Inference
internal import LanguageModels
internal import Models
internal import Synchronization
internal import System

/// Follows a generation, and publishes its progress at most 30 times per second.
struct LiveMeter {
    private let model: LocalModel
    private let completion: Completion
    private let promptTokens: Int
    /// Tokens of the prompt whose keys and values were there before.
    private let reused: Int
    private var steps = 0
    private var secondsToFirst: Double?
    private var secondsAfter = 0.0
    private var lastPublished = 0.0
    private static let period = 1.0 / 30

    init(model: LocalModel, completion: Completion, prompt: Int) {
        self.model = model
        self.completion = completion
        promptTokens = prompt
        reused = completion.cache.length
    }

    var isFirst: Bool { steps == 0 }

    mutating func note(_ step: TokenStep) {
        steps += 1
        if steps == 1 { secondsToFirst = step.seconds } else { secondsAfter += step.seconds ?? 0 }
        let now = Clock.now(.coarse)
        guard now - lastPublished >= Self.period else { return }
        lastPublished = now
        publish()
    }

    func publish() {
        let (desk, layout) = (model.desk, completion.cache.pool.layout)
        let pages = completion.cache.pageMap.map { LiveSnapshot.Page(owners: $0.owners, filled: $0.filled) }
        let snapshot = LiveSnapshot(
            model: model.name, tokensPerSecond: secondsAfter > 0 ? Double(steps - 1) / secondsAfter : 0,
            promptTokens: promptTokens, reusedTokens: reused, secondsToFirstToken: secondsToFirst,
            threads: desk.threads, pageSize: layout.pageSize, pageBytes: pages.count * layout.bytesPerPage,
            pages: pages, passes: desk.profile.passes,
            operations: desk.profile.entries.map { entry in
                LiveSnapshot.Operation(
                    name: entry.operation.rawValue, kernel: entry.kernel, shape: "\(entry.shape)",
                    seconds: entry.seconds, calls: entry.calls, flops: entry.flops, bytes: entry.bytes)
            }, experts: desk.decoder.pass.expertLoad.map(LiveSnapshot.Experts.init))
        desk.live.withLock { $0 = snapshot }
    }
}

extension LiveSnapshot.Experts {
    fileprivate init(_ load: ExpertLoad) {
        let layers = 0..<load.layerCount
        let totals = (0..<load.expertCount).map { expert in
            layers.reduce(0) { $0 + load.tokens[$1 * load.expertCount + expert] }
        }
        let all = Double(max(1, totals.reduce(0, +)))
        self.init(
            shares: totals.map { Double($0) / all },
            imbalance: layers.reduce(0) { $0 + load.imbalance(layer: $1) } / Double(max(1, load.layerCount)))
    }
}
