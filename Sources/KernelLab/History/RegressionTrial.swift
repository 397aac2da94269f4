internal import CKernels
public import JSON
public import Kernels
public import Workspace

/// Puts the regression test itself to the test: how often it cries wolf over an unchanged kernel, and how often it
/// finds a slowdown that was planted.
///
/// Every repeat is a whole measurement with new inputs in new memory, judged by the repeats before it just as a
/// workspace would do it. A planted repeat does a little more arithmetic after each call; it is not among those that
/// later repeats are compared with, nor is an alarm.
public struct RegressionTrial: Hashable, Sendable {
    public var operation: String
    public var variant: String
    public var shape: String
    public var threads: Int
    /// Repeats of the unchanged kernel, and those among them that were called slower.
    public var repeats = 0
    public var alarms = 0
    /// Unchanged repeats that were suspicious once, before they were measured again.
    public var suspicions = 0
    /// Repeats with a slowdown, and those among them that were found.
    public var planted = 0
    public var detections = 0
    /// The part by which planted calls are slower.
    public var slowdown: Double
    /// Unchanged and planted repeats that could not be judged, since the machine was too busy.
    public var unjudged = 0
    public var plantedUnjudged = 0
    /// The median ratio to the ceiling of unchanged repeats, and its robust deviation.
    public var share = 0.0
    public var scatter = 0.0
    public var seconds = 0.0

    /// Measures a rung again and again.
    ///
    /// - Parameters:
    ///   - variant: the operation's last rung that can run here where it is nil.
    ///   - repeats: of the unchanged kernel.
    ///   - planted: of the slower one, spread evenly over the others once there is something to compare with.
    ///   - budget: seconds of each measurement.
    /// - Throws: as `KernelMeasurement.measure`.
    public static func run(
        operation: KernelOperation, variant: String? = nil, shape: KernelShape? = nil, threads: Int = 1,
        repeats: Int = 300, planted: Int = 30, slowdown: Double = 0.05, budget: Double = 0.15,
        test: RegressionTest = RegressionTest(), progress: (MeasurementProgress) -> Void = { _ in },
        cancellation: Cancellation? = nil
    ) throws -> RegressionTrial {
        let shape = shape ?? operation.presets[0]
        let name = try variant ?? lastAvailable(operation)
        var trial = RegressionTrial(
            operation: operation.name, variant: name, shape: shape.description, threads: max(1, threads),
            slowdown: slowdown)
        let begin = orrery_wall_seconds()
        var series = Series(test: test) { slowdown in
            let session = try KernelSession(
                operation: operation, variants: [name], shape: shape, threads: threads, cancellation: cancellation)
            if slowdown > 0 { session.plant(slowdown: slowdown) }
            return try session.measure(budget: budget)
        }
        for number in 0..<repeats {
            try cancellation?.check()
            progress(
                MeasurementProgress(
                    fraction: Double(number) / Double(repeats), activity: "repeat \(number + 1) of \(repeats)"))
            trial.count(try series.next(slowdown: 0), isPlanted: false)
            // Number of planted slowdowns that should be done by now; none before there is a baseline.
            let ready = max(0, number + 1 - test.window)
            let due = planted * ready / max(1, repeats - test.window)
            while trial.planted < due { trial.count(try series.next(slowdown: slowdown), isPlanted: true) }
        }
        trial.seconds = orrery_wall_seconds() - begin
        trial.share = series.shares.isEmpty ? 0 : median(series.shares)
        trial.scatter = RegressionTest.scatter(series.shares.map { $0 / trial.share })
        return trial
    }

    private static func lastAvailable(_ operation: KernelOperation) throws(KernelError) -> String {
        guard let variant = operation.variants.last(where: { $0.unavailable == nil }) else {
            throw .unavailable(variant: operation.name, reason: "none of its variants can run on this machine")
        }
        return variant.name
    }

    private mutating func count(_ verdict: Series.Verdict, isPlanted: Bool) {
        let isFound = verdict.run?.verdict == .regressed
        let isUnjudged = verdict.run.map { $0.verdict == .unjudged || $0.verdict == .suspected } ?? true
        if isPlanted {
            planted += 1
            detections += isFound ? 1 : 0
            plantedUnjudged += isUnjudged ? 1 : 0
        } else {
            repeats += 1
            alarms += isFound ? 1 : 0
            suspicions += verdict.wasSuspicious ? 1 : 0
            unjudged += isUnjudged ? 1 : 0
        }
    }
}

/// Repeats one after the other, each judged by those before it.
private struct Series {
    struct Verdict {
        var run: KernelRun?
        var wasSuspicious: Bool
    }

    let test: RegressionTest
    /// A measurement with a planted slowdown.
    let measure: (Double) throws -> KernelReport
    private var earlier: [KernelRun] = []
    /// Shares of all unchanged repeats that were reliable.
    private(set) var shares: [Double] = []

    /// Measurements on a busy machine before a repeat is given up.
    static let mostAttempts = 4

    init(test: RegressionTest, measure: @escaping (Double) throws -> KernelReport) {
        self.test = test
        self.measure = measure
    }

    mutating func next(slowdown: Double) throws -> Verdict {
        guard let first = try reliable(slowdown) else { return Verdict(run: nil, wasSuspicious: false) }
        var confirmation = Confirmation(first: first, earlier: KernelHistory.baseline(earlier), test: test)
        let wasSuspicious = confirmation.needsAnother
        while confirmation.needsAnother {
            guard let again = try reliable(slowdown) else { break }
            confirmation.add(again)
        }
        if slowdown == 0 {
            shares.append(first.share)
            if confirmation.result.isBaseline { earlier.append(confirmation.result) }
        }
        return Verdict(run: confirmation.result, wasSuspicious: wasSuspicious)
    }

    private func reliable(_ slowdown: Double) throws -> KernelRun? {
        for _ in 0..<Self.mostAttempts {
            let report = try measure(slowdown)
            let run = KernelHistory.runs(of: report, commit: nil).first
            if let run, run.isComparable { return run }
        }
        return nil
    }
}

extension RegressionTrial: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("operation", operation)
            json.member("variant", variant)
            json.member("shape", shape)
            json.member("threads", threads)
            json.member("repeats", repeats)
            json.member("false_alarms", alarms)
            json.member("suspicions", suspicions)
            json.member("unjudged", unjudged)
            json.member("planted", planted)
            json.member("slowdown", slowdown)
            json.member("detections", detections)
            json.member("planted_unjudged", plantedUnjudged)
            json.member("share", share)
            json.member("scatter", scatter)
            json.member("seconds", seconds)
        }
    }
}
