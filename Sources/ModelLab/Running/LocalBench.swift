internal import Glibc
internal import Hashing
internal import Inference
public import JSON
internal import LanguageModels
internal import Models
internal import Providers
internal import System
internal import Tokenizers

/// A benchmark of a local model: speed of reading prompts and writing tokens.
///
/// Each figure is the best of several repetitions, which go by turns so that a busy moment of the machine meets all of
/// them; tokens are drawn at random, since the work does not depend on them.
public struct LocalBench: Sendable {
    public var path: String
    public var threads: [Int]
    /// Lengths of prompts.
    public var prompts: [Int]
    /// Tokens that are written one after the other; 0 measures none.
    public var tokens: Int
    public var repetitions: Int
    /// Whether to record everything for each token: alternatives, processors, pages, and time by operation.
    public var isTapped: Bool

    public init(
        path: String, threads: [Int], prompts: [Int], tokens: Int, repetitions: Int, isTapped: Bool = false
    ) {
        self.path = path
        self.threads = threads
        self.prompts = prompts
        self.tokens = tokens
        self.repetitions = repetitions
        self.isTapped = isTapped
    }

    /// Runs it.
    ///
    /// - Parameter progress: Called with the completed share, and the current measurement.
    /// - Throws: `ModelError`, `CancellationError`.
    public func run(
        isCancelled: @escaping @Sendable () -> Bool = { false }, progress: (Double, String) -> Void = { _, _ in }
    ) throws -> LocalBenchReport {
        let start = Clock.now(.monotonic)
        let before = Self.residentBytes()
        var models: [(threads: Int, model: LocalModel)] = []
        for count in threads {
            models.append((count, try LocalModel(path: path, options: .init(threads: count))))
        }
        let secondsToOpen = (Clock.now(.monotonic) - start) / Double(max(1, threads.count))
        var rows: [LocalBenchReport.Row] = []
        for (count, model) in models {
            let context = model.capabilities.contextLength ?? .max
            for length in prompts where length < context {
                rows.append(
                    LocalBenchReport.Row(threads: count, title: "prompt \(length)", model: model, count: length))
            }
            if tokens > 0 {
                rows.append(
                    LocalBenchReport.Row(
                        threads: count, title: "write \(tokens)", model: model, count: min(tokens, context - 2),
                        isWriting: true))
            }
        }
        let total = rows.count * (repetitions + 1)
        var done = 0
        // The first round warms up.
        for round in 0...repetitions {
            for index in rows.indices {
                guard !isCancelled() else { throw CancellationError() }
                progress(Double(done) / Double(total), "\(rows[index].title), \(rows[index].threads) threads")
                let rate = try measure(rows[index], seed: UInt64(round))
                if round > 0 { rows[index].rates.append(rate) }
                done += 1
            }
        }
        let bytes = models.first?.model.weightBytes ?? 0
        let context = models.compactMap(\.model.capabilities.contextLength).min() ?? .max
        return LocalBenchReport(
            path: path, secondsToOpen: secondsToOpen, residentBytes: Self.residentBytes() - before, fileBytes: bytes,
            rows: rows, skippedPrompts: prompts.filter { $0 >= context }, isTapped: isTapped)
    }

    private func measure(_ row: LocalBenchReport.Row, seed: UInt64) throws -> Double {
        var random = SplitMix64(state: seed &* 7919 &+ UInt64(row.count))
        let vocabulary = row.model.configuration.vocabularySize
        func ids(_ count: Int) -> [TokenID] { (0..<count).map { _ in TokenID(random.next() % UInt64(vocabulary)) } }
        return try row.model.withGenerator { generator, pass in
            if row.isWriting { return try write(row, ids(1), generator, pass) }
            let completion = try generator.begin(ids(row.count))
            let start = Clock.now(.monotonic)
            _ = try generator.decoder.forward(
                [Segment(completion.tokens, cache: completion.cache, outputs: .last)], isCancelled: { false })
            return Double(row.count) / (Clock.now(.monotonic) - start)
        }
    }

    /// Writes tokens after a prompt of one token, ignoring end tokens.
    private func write(
        _ row: LocalBenchReport.Row, _ prompt: [TokenID], _ generator: Generator, _ pass: ForwardPass
    ) throws -> Double {
        var options = try GenerationOptions(
            Sampling(temperature: 0.8, topK: 40, topP: 0.95, seed: 1, maximumTokens: row.count + 1),
            alternatives: isTapped ? 20 : 0, showsStages: isTapped)
        options.endTokens = []
        let completion = try generator.begin(prompt)
        let profile = OperationProfile()
        pass.profile = isTapped ? profile : nil
        defer { pass.profile = nil }
        let stream = generator.stream([completion], options)
        _ = try stream.next()
        let start = Clock.now(.monotonic)
        var meter = isTapped ? LiveMeterProbe(model: row.model, completion: completion) : nil
        while let steps = try stream.next() { for step in steps { meter?.note(step.step) } }
        return Double(row.count) / (Clock.now(.monotonic) - start)
    }

    /// Returns the bytes of this process in memory, including mapped files.
    static func residentBytes() -> Int {
        let words = String(decoding: SmallFile.head("/proc/self/statm", 256) ?? [], as: UTF8.self).split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
    }
}

/// The results of `LocalBench`.
public struct LocalBenchReport: Sendable, JSONRepresentable {
    public var path: String
    public var secondsToOpen: Double
    /// Memory that came with the models and their passes.
    public var residentBytes: Int
    public var fileBytes: Int
    public var rows: [Row]
    /// Lengths of prompts that do not fit in the context.
    public var skippedPrompts: [Int] = []
    public var isTapped: Bool

    public struct Row: Sendable {
        public var threads: Int
        /// `prompt 128`, `write 64`.
        public var title: String
        let model: LocalModel
        let count: Int
        var isWriting = false
        /// Tokens a second of each repetition.
        public var rates: [Double] = []

        public var best: Double { rates.max() ?? 0 }
        public var median: Double { rates.isEmpty ? 0 : rates.sorted()[rates.count / 2] }
    }

    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path)
            json.member("tapped", isTapped)
            json.member("seconds_to_open", secondsToOpen)
            json.member("resident_bytes", residentBytes)
            json.member("file_bytes", fileBytes)
            json.objects("rows", of: rows) { row, json in
                json.member("threads", row.threads)
                json.member("test", row.title)
                json.member("best", row.best)
                json.member("median", row.median)
                json.member("rates", row.rates)
            }
        }
    }
}
