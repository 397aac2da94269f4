import TestFixtures
import Testing
import Training
import TrainingLab

@Suite("A curve for a chart")
struct CurveTests {
    /// A run with some steps left out, a spike, and values that are not numbers.
    private static func run(_ fixture: Fixture, steps: Int, name: String = "mini") throws -> Int64 {
        let recorder = RunRecorder(fixture.store)
        try recorder.begin(.sample(name), at: 0)
        var random = SplitMix(state: UInt64(steps))
        for step in 1...steps where step % 7 != 0 {
            var value = Double.random(in: 1...2, using: &random)
            if step == steps / 2 { value = 500 }
            if step % 101 == 0 { value = step % 2 == 0 ? .nan : .infinity }
            try recorder.record(.at(step, ("loss", value)))
            if step % 1500 == 0 { try recorder.flush() }
        }
        recorder.close()
        return recorder.run ?? 0
    }

    /// The same buckets by going through all points one by one.
    private static func naive(
        _ points: SeriesPoints, _ x: (Int64, Int64) -> Double, range: ClosedRange<Double>, _ request: CurveRequest
    ) -> [Int: (values: [Double], smoothed: Double)] {
        var buckets: [Int: (values: [Double], smoothed: Double)] = [:]
        let smooth = smoothed(points.values, weight: request.smoothing)
        for index in 0..<points.count {
            let place = x(points.steps[index], points.times[index])
            guard range.contains(place) else { continue }
            let share = (place - range.lowerBound) * (Double(request.columns) / (range.upperBound - range.lowerBound))
            let column = min(request.columns - 1, Int(share))
            buckets[column, default: ([], .nan)].values.append(points.values[index])
            if points.values[index].isFinite { buckets[column]?.smoothed = smooth[index] }
        }
        return buckets
    }

    @Test(
        "has the minimum, maximum and mean of the points of each column, as going through all of them",
        arguments: [
            CurveRequest(columns: 1), CurveRequest(columns: 120), CurveRequest(columns: 9000),
            CurveRequest(columns: 77, range: 1000...1500), CurveRequest(columns: 40, range: -100...20_000),
            CurveRequest(columns: 60, smoothing: 0.6), CurveRequest(columns: 33, range: 2000...4100, smoothing: 0.99),
            CurveRequest(axis: .time, columns: 50), CurveRequest(axis: .units, columns: 50),
            CurveRequest(axis: .units, columns: 21, range: 4096...4_096_000, smoothing: 0.9),
        ])
    func buckets(request: CurveRequest) throws {
        let fixture = try Fixture()
        let run = try Self.run(fixture, steps: 5000)
        let points = try #require(try fixture.store.points(of: run, "loss"))
        let origin = try #require(try fixture.store.run(run)).origin
        let curve = try #require(try fixture.store.curve(of: run, "loss", request))
        let x: (Int64, Int64) -> Double = { step, time in
            switch request.axis {
            case .step: Double(step)
            case .time: Double(time - origin) * 1e-9
            case .units: Double(step) * 4096
            }
        }
        let all = points.steps.indices.map { x(points.steps[$0], points.times[$0]) }
        let range = request.range ?? all[0]...all[all.count - 1]
        #expect(curve.range == range && curve.axis == request.axis)
        let expected = Self.naive(points, x, range: range, request)
        #expect(curve.buckets.map(\.column) == expected.keys.sorted())
        for bucket in curve.buckets {
            let (values, smooth) = try #require(expected[bucket.column])
            let finite = values.filter(\.isFinite)
            #expect(bucket.count == values.count && bucket.nonFinite == values.count - finite.count)
            guard !finite.isEmpty else {
                #expect(bucket.minimum.isNaN && bucket.mean.isNaN)
                continue
            }
            #expect(bucket.minimum == finite.min() && bucket.maximum == finite.max())
            let mean = finite.reduce(0, +) / Double(finite.count)
            #expect(abs(bucket.mean - mean) <= 1e-12 * abs(mean))
            #expect(request.smoothing > 0 ? bucket.smoothed == smooth : bucket.smoothed == bucket.mean)
        }
        let inside = all.indices.filter { range.contains(all[$0]) }
        #expect(curve.pointCount == inside.count)
        let ends = try #require(inside.first.flatMap { first in inside.last.map { (first, $0) } })
        #expect(curve.first?.x == all[ends.0] && curve.first?.value.bitPattern == points.values[ends.0].bitPattern)
        #expect(curve.last?.x == all[ends.1] && curve.last?.value.bitPattern == points.values[ends.1].bitPattern)
    }

    @Test("is smoothed as TensorBoard does: the first value stands, gaps leave the mean alone")
    func smoothing() {
        let curve = smoothed([1, 2, .nan, 4], weight: 0.5)
        #expect(curve[0] == 1)
        #expect(abs(curve[1] - 5.0 / 3) < 1e-15)
        #expect(curve[2].isNaN)
        #expect(abs(curve[3] - 2.625 / 0.875) < 1e-15)
        #expect(smoothed([3, 1], weight: 0) == [3, 1])
    }

    @Test("lies over others on one common axis; a series that does not exist is left out")
    func overlay() throws {
        let fixture = try Fixture()
        let short = try Self.run(fixture, steps: 50)
        let long = try Self.run(fixture, steps: 2000, name: "long")
        let sources = [(short, "loss"), (long, "loss"), (long, "nothing")].map { CurveSource(run: $0.0, series: $0.1) }
        let curves = try fixture.store.curves(sources, CurveRequest(columns: 100))
        #expect(curves.map(\.run) == [short, long])
        #expect(Set(curves.map(\.range)) == [1...2000])
        #expect(curves[0].buckets.map(\.column).max() == 2)
        #expect(curves[1].bounds?.upperBound == 500)
        #expect(try fixture.store.curve(of: short, "nothing", CurveRequest(columns: 3)) == nil)
    }

    @Test("is sorted where a log went back to an earlier step, and drawn by step where units are not known")
    func unordered() throws {
        let fixture = try Fixture()
        let steps = Array(1...30) + Array(20...40)
        let lines = steps.enumerated().map { "{\"step\": \($1), \"loss\": \($0)}\n" }.joined()
        File.write(lines, to: fixture.folder.file("log.jsonl"))
        let run = try #require(try RunFollower.open(fixture.folder.path).follow(into: fixture.store).runs.first)
        let points = try #require(try fixture.store.points(of: run, "loss"))
        #expect(points.steps.map(Int.init) == steps.sorted())
        #expect(points.values[18...21].elementsEqual([18, 19, 30, 20]))
        let curve = try #require(try fixture.store.curve(of: run, "loss", CurveRequest(axis: .units, columns: 40)))
        #expect(curve.axis == .step && curve.pointCount == steps.count)
        #expect(curve.last == CurvePoint(x: 40, value: 50))
    }

    @Test("of one point, or of huge values, stays within its values")
    func extremes() throws {
        let fixture = try Fixture()
        let recorder = RunRecorder(fixture.store)
        try recorder.begin(.sample(), at: 0)
        let greatest = Double.greatestFiniteMagnitude
        for step in 1...2000 { try recorder.record(.at(step, ("huge", step % 2 == 0 ? greatest : greatest / 2))) }
        try recorder.record(.at(2001, ("one", 3)))
        try recorder.flush()
        let run = try #require(recorder.run)
        let huge = try #require(try fixture.store.curve(of: run, "huge", CurveRequest(columns: 4)))
        #expect(huge.buckets.allSatisfy { $0.mean >= greatest / 2 && $0.mean <= greatest })
        let one = try #require(try fixture.store.curve(of: run, "one", CurveRequest(columns: 4)))
        #expect(one.buckets.map(\.column) == [0] && one.buckets[0].mean == 3 && one.first == one.last)
    }
}
