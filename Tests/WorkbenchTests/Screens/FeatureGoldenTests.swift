import Console
import FeatureLab
import Interpretability
import Testing
import Workbench

/// Screens of the features page. The list is the indexed one of the fixture; the card, the texts, and the map hold
/// prepared values.
@Suite("The features panel's golden screens")
struct FeatureGoldenTests {
    struct Scene: GoldenScene {
        static let prefix = "features-"
        let name: String
        let actions: @Sendable (FeatureDriver) throws -> Void

        func screen(_ size: Size, _ settings: [String: String]) throws -> Surface {
            // A saved screen, so that no sample text is read.
            let driver = try FeatureDriver(FeatureWorkspace.indexed(), size: size, saved: "{}")
            try actions(driver)
            return driver.surface(.of(settings)).transliterated(settings)
        }
    }

    static let scenes = [
        Scene(name: "listed") { _ in },
        Scene(name: "card") {
            $0.show(card)
            try $0.press("next-pane")
        },
        Scene(name: "formulas") {
            $0.show(card)
            try $0.press("next-pane", "formula")
        },
        Scene(name: "changed") {
            $0.show(card)
            $0.show(changed)
            try $0.press("next-pane", "next-pane")
        },
        Scene(name: "circuits") {
            try $0.press("circuits")
            $0.show(map)
        },
    ]

    @Test("at every size", arguments: scenes, [Size(80, 24), Size(120, 40), Size(200, 60)])
    func dark(scene: Scene, size: Size) throws { try scene.compare(size) }

    @Test("without colors and with ASCII only", arguments: scenes)
    func plain(scene: Scene) throws { try scene.compare(Size(120, 40), theme: "mono", isASCII: true) }

    private static var card: FeatureCard {
        var dashboard = FeatureDashboard(feature: 7)
        dashboard.tokens = 1_000
        dashboard.count = 60
        dashboard.density = 0.06
        dashboard.maximum = 4
        dashboard.mean = 1.5
        dashboard.histogram = FeatureHistogram(counts: [40, 15, 5], maximum: 4)
        dashboard.top = [FeatureExample(position: nil, tokens: [1, 2, 3], values: [0, 4, 1], peak: 1)]
        dashboard.positive = [TokenLogit(token: 2, value: 1.25)]
        dashboard.neighbors = [RelatedFeature(feature: 9, value: 0.5)]
        return FeatureCard(dashboard) { ["", " red", " fox", "."][Int($0)] }
    }

    private static var changed: SteeringReading {
        var reading = SteeringReading(
            untouched: side(["the", " cat", " sat"], run: 1, active: [[(7, 1)], [(7, 2), (9, 0.5)], []]),
            changed: side(["the", " cat", " ran"], run: 2, active: [[], [(9, 0.5)], []]))
        reading.divergences = [0, 0.5, 0.25]
        reading.firstDifference = 2
        return reading
    }

    private static func side(
        _ texts: [String], run: Int, active: [[(feature: Int32, value: Float)]]
    ) -> SteeringReading.Side {
        var side = SteeringReading.Side()
        side.run = run
        side.texts = texts
        side.promptCount = 2
        side.readCount = active.count
        var codes = SparseCodes(width: 48)
        for row in active {
            codes.features += row.map(\.feature)
            codes.values += row.map(\.value)
            codes.starts.append(codes.features.count)
        }
        side.features = codes
        return side
    }

    private static var map: CircuitReading {
        var map = PatchMap(
            title: "prepared", rows: .init("layer", ["0", "1"]), columns: .init("position", ["0", "1", "2"]),
            clean: 1.5, corrupt: -1, metric: "m", formula: "m / 2")
        map.scores = [0, 0.5, -1.25, 0, 1.5, .nan]
        map.values = map.scores
        map.isComplete = true
        return CircuitReading(
            question: CircuitQuestion(), map: map, tokens: ["the", " old", " clock"], metric: "m",
            answers: (" x", " y"),
            sum: AttributionSum(
                target: .difference(1, 2), position: 1,
                terms: [.init(.head(layer: 0, head: 1), 2), .init(.feedForward(layer: 1), -0.5)], logit: 1.5))
    }
}
