public import LanguageModels
internal import Synchronization
public import System

/// Loads a model with requests and measures how it stands it.
///
/// ```swift
/// let load = EndpointLoad(model, prompts: .generated(tokens: [128, 1024], count: 100), concurrency: 8)
/// let report = try load.run()
/// print(report.json(.pretty))
/// ```
/// Without a rate of arrivals every thread sends its next request when it has the last answer (a closed loop): a slow
/// server is asked less often, and waits that real callers would have had are not seen. With a rate, requests are due
/// at fixed times whatever the server does (an open loop), and all times count from when a request was due, so that
/// waiting for a free thread counts as waiting for the server.
///
/// Source of the second: Tene, How NOT to Measure Latency, 2013 ("coordinated omission").
public struct EndpointLoad: Sendable {
    /// When it ends.
    public enum Amount: Hashable, Sendable {
        case requests(Int)
        /// Requests that are due within this number of seconds; the run waits for the last responses.
        case seconds(Double)
    }

    public var model: any LanguageModel
    public var prompts: LoadPrompts
    /// Requests under way at the same time, at most.
    public var concurrency: Int
    public var amount: Amount
    /// Requests that are sent before and not counted.
    public var warmUp: Int
    /// Requests a second that become due; nil sends the next when the last is answered.
    public var arrivalsPerSecond: Double?
    public var sampling: Sampling
    public var clock: Clock

    /// - Parameter maximumTokens: the limit of an answer, unless its prompt has one.
    public init(
        _ model: any LanguageModel, prompts: LoadPrompts, concurrency: Int = 1, amount: Amount = .requests(100),
        warmUp: Int = 0, arrivalsPerSecond: Double? = nil, maximumTokens: Int? = 128,
        sampling: Sampling = Sampling(), clock: Clock = .system
    ) {
        self.model = model
        self.prompts = prompts
        self.concurrency = concurrency
        self.amount = amount
        self.warmUp = warmUp
        self.arrivalsPerSecond = arrivalsPerSecond
        self.sampling = sampling
        if let maximumTokens { self.sampling.maximumTokens = maximumTokens }
        self.clock = clock
    }

    private static let mostThreads = 4096

    /// Runs it; the calling thread waits, or works where the concurrency is 1.
    ///
    /// - Parameter progress: Called on the calling thread, several times per second.
    /// - Throws: a `.request` error where it cannot be run so. Failures of requests are part of the report.
    public func run(
        isCancelled: @Sendable () -> Bool = { false }, progress: (LoadProgress) -> Void = { _ in }
    ) throws(LanguageModelError) -> LoadReport {
        if let problem { throw LanguageModelError(.request, model: "load", problem: problem) }
        // Workers end before this does.
        return withoutActuallyEscaping(isCancelled) { isCancelled in
            let warming = LoadRun(self, amount: .requests(warmUp), rate: nil, isWarmUp: true, first: 0, isCancelled)
            if warmUp > 0 { warming.run(progress) }
            let counted = LoadRun(
                self, amount: amount, rate: arrivalsPerSecond, isWarmUp: false, first: warmUp, isCancelled)
            if !isCancelled() { counted.run(progress) }
            return LoadReport(
                self, counted.samples, warmUp: warming.samples.count, start: counted.start,
                isCancelled: isCancelled())
        }
    }

    private var problem: String? {
        if prompts.prompts.isEmpty { return "there are no prompts to send" }
        if !(1...Self.mostThreads).contains(concurrency) { return "concurrency must be 1 to \(Self.mostThreads)" }
        if !(0...1_000_000).contains(warmUp) { return "warm-up must be 0 to 1,000,000 requests" }
        if let rate = arrivalsPerSecond, !(rate > 0 && rate <= 1_000_000) {
            return "arrival rate must be above 0 and at most 1,000,000"
        }
        switch amount {
        case .requests(let count):
            return (1...10_000_000).contains(count) ? nil : "the number of requests must be 1 to 10,000,000"
        case .seconds(let seconds):
            return seconds > 0 && seconds <= 1_000_000
                ? nil : "the number of seconds must be above 0 and at most 1,000,000"
        }
    }
}

/// One phase of a load: threads take the numbers of requests until there are no more.
private final class LoadRun: Sendable {
    private struct State {
        var next = 0
        var underWay = 0
        var samples: [LoadSample] = []
        var tokens = 0
        var failed = 0
    }

    private let load: EndpointLoad
    private let amount: EndpointLoad.Amount
    private let rate: Double?
    private let isWarmUp: Bool
    private let first: Int
    private let isCancelled: @Sendable () -> Bool
    private let state = Mutex(State())
    let start: Double

    init(
        _ load: EndpointLoad, amount: EndpointLoad.Amount, rate: Double?, isWarmUp: Bool, first: Int,
        _ isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.load = load
        self.amount = amount
        self.rate = rate
        self.isWarmUp = isWarmUp
        self.first = first
        self.isCancelled = isCancelled
        start = load.clock.seconds()
    }

    var samples: [LoadSample] { state.withLock { $0.samples } }

    func run(_ progress: (LoadProgress) -> Void) {
        guard load.concurrency > 1 else {
            while step() { progress(current) }
            return
        }
        let threads = Workers.run(load.concurrency, { while self.step() {} }, meanwhile: { progress(self.current) })
        // Where the system gives no thread, the calling one does the work.
        if threads == 0 { while step() { progress(current) } }
        progress(current)
    }

    private var current: LoadProgress {
        state.withLock { state in
            LoadProgress(
                finished: state.samples.count, failed: state.failed, underWay: state.underWay, isWarmingUp: isWarmUp,
                seconds: load.clock.seconds() - start, outputTokens: state.tokens)
        }
    }

    /// Makes the next request; returns `false` if there are no more, or the run was canceled.
    private func step() -> Bool {
        guard !isCancelled(), let (number, due) = take() else { return false }
        let wait = due - load.clock.seconds()
        if wait > 0 { load.clock.sleep(wait, isCancelled) }
        guard !isCancelled() else { return false }
        state.withLock { $0.underWay += 1 }
        let sample = measure(number, due: rate == nil ? nil : due)
        state.withLock { state in
            state.underWay -= 1
            guard let sample else { return }
            state.samples.append(sample)
            if sample.error == nil { state.tokens += sample.tokens } else { state.failed += 1 }
        }
        return sample != nil
    }

    /// Returns the number and due time of the next request; `nil` if all were taken.
    private func take() -> (Int, Double)? {
        let now = load.clock.seconds()
        return state.withLock { state in
            let due = rate.map { start + Double(state.next) / $0 } ?? now
            switch amount {
            case .requests(let count): guard state.next < count else { return nil }
            case .seconds(let seconds): guard due - start < seconds else { return nil }
            }
            state.next += 1
            return (state.next - 1, due)
        }
    }

    /// Sends one request; returns `nil` if it was canceled.
    private func measure(_ number: Int, due: Double?) -> LoadSample? {
        let prompt = load.prompts.prompts[(first + number) % load.prompts.prompts.count]
        var request = ModelRequest(prompt.input, sampling: load.sampling)
        if let own = prompt.maximumTokens { request.sampling.maximumTokens = own }
        let clock = load.clock
        let sent = clock.seconds()
        var sample = LoadSample(due: due ?? sent, sent: sent, ended: sent)
        do throws(LanguageModelError) {
            let response = try load.model.respond(to: request, isCancelled: isCancelled) { event in
                switch event {
                case .prompt: return
                case .token, .reasoning, .toolCall:
                    let now = clock.seconds()
                    if sample.secondsToFirst == nil { sample.secondsToFirst = now - sent }
                    sample.lastPiece = now
                    sample.pieces += 1
                }
            }
            if response.finish == .cancelled { return nil }
            sample.usage = response.usage
            sample.retries = response.retries
            // The first piece of a tool call is reported only in the response.
            if let told = response.secondsToFirstToken {
                sample.secondsToFirst = min(told, sample.secondsToFirst ?? told)
            }
        } catch {
            sample.error = error
        }
        sample.ended = clock.seconds()
        return sample
    }
}
