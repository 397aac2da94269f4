internal import Glibc
internal import Interpretability
internal import JSON
internal import System
internal import Tensors
internal import Tokenizers
internal import Workspace

/// How long an index takes to build and to be read, on synthetic activations.
public enum FeatureBench {
    /// Builds an index in a new workspace, and labels every eighth feature.
    ///
    /// - Returns: JSON text with `seconds`, tokens/s, the file's bytes, and `peak_bytes`, the peak memory use.
    public static func build(
        tokens: Int = 10_000_000, features: Int = 16_384, active: Int = 32, at path: String,
        progress: (Double) -> Void = { _ in }
    ) throws -> String {
        let workspace = try Workspace.open(path, migrations: FeatureLab.migrations, create: true)
        let store = FeatureStore(workspace)
        let width = 64
        let dictionary = try store.add(
            FeatureDictionary.Description(
                name: "bench", path: "synthetic", hook: "blocks.0.hook_resid_post", model: "synthetic", kind: "topk",
                width: width, featureCount: features, meanActive: Double(active)))
        let source = SyntheticActivations(features: features, active: active)
        let sequences = (tokens + SyntheticActivations.sequenceLength - 1) / SyntheticActivations.sequenceLength
        let decoder = try Tensor((0..<features * width).map { sin(Float($0) * 0.7) }, shape: [features, width])
        let begun = Clock.now(.monotonic)
        var making = 0.0
        var finishing = 0.0
        let index = try store.buildIndex(
            of: dictionary.id, totalTokens: sequences * SyntheticActivations.sequenceLength, decoder: decoder,
            logits: { range in
                range.map { feature in
                    FeatureLogits(
                        positive: (0..<10).map { TokenLogit(token: TokenID(feature + $0), value: Float(-$0)) })
                }
            }
        ) { first in
            progress(Double(first) / Double(max(1, sequences)))
            let start = Clock.now(.monotonic)
            defer { finishing = Clock.now(.monotonic) }
            if first >= sequences { return nil }
            let block = source.block(first..<min(sequences, first + 64))
            making += Clock.now(.monotonic) - start
            return block
        }
        let ended = Clock.now(.monotonic)
        for feature in stride(from: 0, to: features, by: 8) {
            if feature % 1024 == 0 { progress(1) }
            try label(feature, of: dictionary.id, store)
        }
        var json = JSONWriter()
        json.object { json in
            json.member("tokens", index.tokens)
            json.member("features", features)
            json.member("seconds", ended - begun)
            json.member("seconds_making_activations", making)
            json.member("seconds_finishing", ended - finishing)
            json.member("tokens_per_second", Double(index.tokens) / (ended - begun - making))
            json.member("peak_bytes", peakMemory())
            json.member("file_bytes", fileBytes(path))
        }
        return json.text
    }

    /// Measures reading of an index that ``build(tokens:features:active:at:progress:)`` made.
    ///
    /// - Returns: JSON text with milliseconds: median and 95th percentile of dashboards and of the slowest kind of search,
    ///   then first, median, 95th percentile and largest of each kind of reading.
    public static func measure(_ path: String, rounds: Int = 100) throws -> String {
        let workspace = try Workspace.open(path, migrations: FeatureLab.migrations)
        let store = FeatureStore(workspace)
        let dictionary = try store.dictionary(matching: "bench")
        let source = SyntheticActivations(features: dictionary.featureCount, active: 32, seed: 7)
        let id = dictionary.id
        let prompt = source.block(0..<1).codes
        let words = ["planet", "orb", "clock wheel", "moon 1", "st"]
        let dashboards = try times(rounds) {
            _ = try store.dashboard(of: id, feature: $0 * 7919 % dictionary.featureCount)
        }
        let dense = try times(rounds) { _ = try store.dashboard(of: id, feature: $0 % dictionary.featureCount) }
        let searches = [
            (
                name: "token_search_ms",
                times: try times(rounds) { _ = try store.features(of: id, firingOn: [TokenID($0 * 31 % 32_000)]) }
            ),
            (
                name: "label_search_ms",
                times: try times(rounds) { _ = try store.features(of: id, labeled: words[$0 % words.count]) }
            ),
            (
                name: "prompt_search_ms",
                times: try times(rounds) {
                    _ = try store.features(of: id, activeIn: prompt, by: PromptRank.allCases[$0 % 3])
                }
            ),
        ]
        let lists = try times(rounds) {
            _ = try store.features(of: id, by: FeatureOrder.allCases[$0 % 4], descending: $0 % 2 == 0)
        }
        var json = JSONWriter()
        json.object { json in
            json.member("tokens", dictionary.index?.tokens ?? 0)
            json.member("features", dictionary.featureCount)
            json.member("dashboard_milliseconds", dashboards.median)
            json.member("dashboard_milliseconds_p95", dashboards.late)
            json.member("search_milliseconds", searches.map(\.times.median).max() ?? 0)
            json.member("search_milliseconds_p95", searches.map(\.times.late).max() ?? 0)
            json.member("dashboard_ms", dashboards.all)
            json.member("dense_dashboard_ms", dense.all)
            for search in searches { json.member(search.name, search.times.all) }
            json.member("list_ms", lists.all)
        }
        return json.text
    }

    private static func label(_ feature: Int, of id: Int64, _ store: FeatureStore) throws {
        let words = ["planet", "clock", "moon", "wheel", "orbit", "star", "gear"]
        let text = "\(words[feature / 8 % 7]) \(words[feature / 56 % 7]) \(feature)"
        try store.setLabel(text, of: id, feature: feature)
    }

    // Milliseconds of rounds, the first of which was alone with cold pages.
    private struct Times {
        var first: Double
        var sorted: [Double]

        var median: Double { sorted[sorted.count / 2] }
        // 95th percentile.
        var late: Double { sorted[min(sorted.count - 1, sorted.count * 95 / 100)] }
        var all: [String: Double] {
            ["first": first, "median": median, "p95": late, "largest": sorted[sorted.count - 1]]
        }
    }

    private static func times(_ rounds: Int, _ body: (Int) throws -> Void) throws -> Times {
        let times = try (0..<max(1, rounds)).map { round in
            let begun = Clock.now(.monotonic)
            try body(round)
            return (Clock.now(.monotonic) - begun) * 1000
        }
        return Times(first: times[0], sorted: times.sorted())
    }

    private static func peakMemory() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1024
    }

    private static func fileBytes(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
