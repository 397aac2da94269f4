import Console
import Glibc
import TestFixtures
import Training
import TrainingLab
import Workbench
import Workspace

/// A workspace with runs whose curves are computed from a seed: nothing in them was trained.
final class TrainedWorkspace {
    let made: TestWorkspace
    /// Of runs that go on.
    private(set) var recorders: [String: RunRecorder] = [:]

    var workspace: Workspace { made.workspace }
    var store: RunStore { RunStore(made.workspace) }

    init() throws { made = try TestWorkspace() }

    deinit { for recorder in recorders.values { recorder.close() } }

    /// How a run ends.
    enum End {
        case finished, interrupted, diverged, running, paused
    }

    /// One that finished, one that goes on, one that diverged, one that was cut off, one that waits and has nothing yet.
    static func sample() throws -> TrainedWorkspace {
        let made = try TrainedWorkspace()
        try made.record("tide-small", hours: 30, to: 400, .finished, rate: 0.003, floor: 1.1)
        try made.record("tide-hot", hours: 26, to: 120, .diverged, rate: 0.3, floor: 2.5)
        try made.record("tide-early", hours: 5, to: 90, .interrupted, rate: 0.003, floor: 1.4)
        try made.record("tide-wide", hours: 1, to: 244, .running, rate: 0.002, floor: 0.7)
        try made.record("tide-next", hours: 0.2, to: 0, .paused, rate: 0.002, floor: 0.7)
        return made
    }

    static let configuration = """
        [run]
        name = "tide"
        seed = 20

        [optimizer]
        kind = "muon"
        rate = 0.003  # per step

        """

    static func description(_ name: String, folder: String? = nil, steps: Int? = 400) -> RunDescription {
        RunDescription(
            name: name, configuration: configuration, seed: 20, version: "0.5.0", steps: steps, parameters: 2_980_992,
            batch: 4_096, unit: "tokens", flopsPerStep: 7.3e10, threads: 1, folder: folder)
    }

    /// Records a run as a trainer would.
    ///
    /// - Parameter hours: before the tests' now.
    /// - Returns: its row.
    @discardableResult
    func record(
        _ name: String, hours: Double, to last: Int, _ end: End, rate: Double, floor: Double, folder: String? = nil
    ) throws -> Int64 {
        let recorder = RunRecorder(store)
        let began = Place.now() - Int64(hours * 3.6e12)
        try recorder.begin(Self.description(name, folder: folder ?? "/tides/\(name).run"), at: 0)
        let run = recorder.run!
        func time(_ step: Int) -> Int64 { began + Int64(step) * 12_000_000_000 }
        func tell(_ step: Int, _ kind: RunEvent.Kind, _ text: String = "") throws {
            try recorder.record(RunEvent(step: step, time: time(step), kind: kind, text: text))
        }
        try tell(0, .started, "the run begins")
        var random = Seeded(UInt64(name.utf8.reduce(0) { $0 &* 31 &+ Int($1) }))
        for step in stride(from: 1, through: last, by: 1) {
            try recorder.record(
                RunPoint(
                    step: step, time: time(step),
                    values: Self.values(at: step, end, last: last, rate: rate, floor: floor, &random)))
            if step % 100 == 0 {
                try tell(step, .checkpoint, "/tides/\(name).run/step-\(step)")
                try recorder.record(
                    RunSample(
                        step: step, time: time(step), prompt: "Story: In the town of",
                        text: " Brine the tide came in \(step / 100) times before noon.\nNobody wrote it down."))
            }
        }
        switch end {
        case .finished: try tell(last, .finished, "all \(last) steps are made")
        case .diverged: try tell(last, .diverged, "The loss is NaN at step \(last): step 100 is kept.")
        case .paused: try tell(last, .paused, "waits for the user")
        case .running, .interrupted: break
        }
        try recorder.flush()
        if end == .running || end == .paused { recorders[name] = recorder } else { recorder.close() }
        try store.date(run, from: began, to: time(last))
        return run
    }

    private static func values(
        at step: Int, _ end: End, last: Int, rate: Double, floor: Double, _ random: inout Seeded
    ) -> [(series: String, value: Double)] {
        let noise = Double.random(in: -1...1, using: &random)
        let fall = exp(-Double(step) / 38)
        var loss = floor + (8.3 - floor) * fall + noise * (0.05 + 0.2 * fall)
        if end == .diverged, step > 80 { loss *= exp(Double(step - 80) / 12) }
        if end == .diverged, step > 112 { loss = .nan }
        var values = [
            (RunSeries.trainLoss, loss), (RunSeries.learningRate, rate * min(1, Double(step) / 20)),
            (RunSeries.gradientNorm, 0.6 + 3 * fall + noise * 0.1), (RunSeries.speed, 1_640 + noise * 30),
            (RunSeries.flops, 29.2e9 + noise * 4e8),
        ]
        if step % 20 == 0 { values.append((RunSeries.validationLoss, loss + 0.11)) }
        guard step % 25 == 0 else { return values }
        let names = ["token_embd.weight"] + (0..<4).flatMap { ["blk.\($0).attn_q.weight", "blk.\($0).ffn_up.weight"] }
        for (index, name) in names.enumerated() {
            values.append((RunSeries.gradientNorm(of: name), (0.02 + 0.4 * fall) * Double(index + 1) / 4))
            values.append((RunSeries.parameterNorm(of: name), 3.5 + Double(index) + Double(step) / 200))
            values.append((RunSeries.updateRatio(of: name), (0.002 + 0.01 * fall) * Double(index + 2) / 3))
        }
        return values
    }

    /// More of a run that goes on.
    func add(_ name: String, step: Int, loss: Double) throws {
        guard let recorder = recorders[name] else { return }
        try recorder.record(RunPoint(step: step, time: Place.now(), values: [(RunSeries.trainLoss, loss)]))
        try recorder.flush()
    }

    /// What a run of ours does with its orders: it says that it did.
    ///
    /// - Returns: the orders.
    @discardableResult
    func obey(_ name: String, step: Int) throws -> [RunOrder] {
        guard let recorder = recorders[name] else { return [] }
        try recorder.flush()
        let orders = recorder.orders()
        for order in orders {
            let event: (RunEvent.Kind, String)? =
                switch order {
                case .pause: (.paused, "")
                case .resume: (.continued, "")
                case .stop: (.stopped, "stopped by the user")
                case .scaleLearningRate(let factor): (.rateChanged, "\(factor) of the schedule")
                case .checkpoint: (.checkpoint, "/tides/step-\(step)")
                }
            if let event {
                try recorder.record(RunEvent(step: step, time: Place.now(), kind: event.0, text: event.1))
            }
        }
        try recorder.flush()
        return orders
    }
}

extension ShellDriver {
    /// A shell with the training panel in front.
    ///
    /// - Parameter isRestored: Whether to restore the last screen.
    static func training(
        _ workspace: Workspace, size: Size = Size(120, 40), run: Int64? = nil, isRestored: Bool = false
    ) -> ShellDriver {
        ShellDriver(
            workspace, size: size, panels: [PanelEntry(TrainingPage.self), PanelEntry(TracePage.self)],
            opening: run.map { Reference(.trainingRun, [$0], title: "") }, isHeadless: !isRestored)
    }

    /// Lets the panel look again for what other programs have done.
    func look() {
        shell.passDeadlines(at: .now + .seconds(3))
        finishJobs()
        handle(.resize(shell.size))
    }
}
