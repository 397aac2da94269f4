import EvalLogs
import Evals
import Statistics
import System
import Testing

/// Scores of a run by a property of its samples.
struct EvalSlicesTests {
    private static let run = MadeRuns.run("r", slices: ["language", "size"])

    private static func slices(_ rows: [EvalRow]) throws -> [EvalSlices.Slice] {
        try EvalSlices(rows, of: run, by: "size").slices
    }

    @Test("scores of 0 and 1 have Wilson's interval; unscored samples are counted")
    func binary() throws {
        let values: [Double] = [0, 0, 0, 0, 0, .nan]
        let rows = values.enumerated().map {
            MadeRuns.row($0.offset, "s\($0.offset)", [$0.element], slices: ["en", "big"])
        }
        let slices = try Self.slices(rows + [MadeRuns.row(6, "t", [1], slices: ["de", "small"])])
        #expect(slices.map { "\($0.value) \($0.count) \($0.unscored)" } == ["big 5 1", "small 1 0"])
        #expect(slices[0].mean == 0)
        #expect(slices[0].interval?.lower == 0)
        // 0 of 5.
        #expect(abs(try #require(slices[0].interval).upper - 0.434_482_465) < 1e-8)
    }

    @Test("epochs are averaged; other shares have Wilson's interval of their standard error")
    func epochs() throws {
        let rows = [("a", 1, 1.0), ("a", 2, 0), ("b", 1, 1), ("b", 2, 1), ("c", 1, 0), ("c", 2, .nan)].enumerated().map
        {
            MadeRuns.row($0.offset, $0.element.0, epoch: $0.element.1, [$0.element.2], slices: ["en", "big"])
        }
        let slice = try #require(try Self.slices(rows).first)
        #expect((slice.count, slice.unscored, slice.mean) == (3, 0, 0.5))
        // s = 0.5, standard error 0.5 / sqrt 3, like 3 hits and 3 misses; t of 2 degrees 4.302653.
        #expect(abs(try #require(slice.interval).upper - 0.963_828_705_383_81) < 1e-9)
    }

    @Test("clusters widen the interval, for six of them and for two")
    func clusters() throws {
        func interval(_ values: [(Double, String)]) throws -> Interval {
            let rows = values.enumerated().map {
                MadeRuns.row(
                    $0.offset, "s\($0.offset)", [$0.element.0], cluster: $0.element.1, slices: ["en", "big"])
            }
            return try #require(try Self.slices(rows).first?.interval)
        }
        // Few clusters say little about their correlation: the score test is averaged over the correlations that fit.
        // Computed with numpy from the definition of ``ClusteredShare``; independent values have 0.2538, 0.7462.
        let pairs: [(Double, Double)] = [(1, 1), (0, 0), (1, 0), (1, 1), (0, 0), (1, 0)]
        let six = try interval(pairs.enumerated().flatMap { [($1.0, "\($0)"), ($1.1, "\($0)")] })
        #expect(abs(six.lower - 0.238419521790) < 1e-6 && abs(six.upper - 0.761580478210) < 1e-6)
        let two = try interval([(1, "x"), (1, "x"), (0, "y"), (0, "y")])
        #expect(abs(two.lower - 0.055659341023) < 1e-5 && abs(two.upper - 0.944340658977) < 1e-5)
        // Four independent values have 0.1500, 0.8500 before the adjustment for few hits.
        #expect(two.width > 0.88)
    }

    @Test("the interval is wider than for independent values if one cluster has most of the misses")
    func unevenClusters() throws {
        let hits = [0, 3, 4, 4, 4, 4, 4, 4]
        let rows = hits.enumerated().flatMap { cluster, hits in
            (0..<4).map { place in
                MadeRuns.row(
                    4 * cluster + place, "s\(4 * cluster + place)", [place < hits ? 1 : 0], cluster: "\(cluster)",
                    slices: ["en", "big"])
            }
        }
        let interval = try #require(try Self.slices(rows).first?.interval)
        // Computed with numpy from the definition of ``ClusteredShare``; 27 of 32 independent have 0.6825, 0.9311.
        #expect(abs(interval.lower - 0.534407984832) < 1e-6 && abs(interval.upper - 0.972873153737) < 1e-5)
    }

    @Test("epochs are reduced as in the task of the run")
    func reducer() throws {
        var run = Self.run
        run.settings = [EvalSetting("reducer", "max")]
        let rows = [("a", 1, 1.0), ("a", 2, 0), ("b", 1, 0), ("b", 2, 0)].enumerated().map {
            MadeRuns.row($0.offset, $0.element.0, epoch: $0.element.1, [$0.element.2], slices: ["en", "big"])
        }
        #expect(try EvalSlices(rows, of: run, by: "size").slices.first?.mean == 0.5)
        run.settings = [EvalSetting("reducer", "at_least_2")]
        #expect(try EvalSlices(rows, of: run, by: "size").slices.first?.mean == 0)
    }

    @Test("rows without the property have an empty value; an unknown property is an error")
    func missing() throws {
        #expect(try Self.slices([MadeRuns.row(0, "a", [1])]).map(\.value) == [""])
        #expect(throws: Problem(.unknown, "r", "its samples have no topic", remedy: "Available: language, size.")) {
            try EvalSlices([], of: Self.run, by: "topic")
        }
    }
}
