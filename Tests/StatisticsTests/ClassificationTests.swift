import JSON
import Statistics
import Testing

@Suite("Classification, calibration, agreement, correlation, drift, and fairness")
struct ClassificationTests {
    @Test("class metrics and kappa match scikit-learn and statsmodels")
    func classes() {
        #expect(goldens["classes"].elements.count == 5)
        for golden in goldens["classes"].elements {
            let (truth, predicted, third) = (golden["y"].ints, golden["p"].ints, golden["third"].ints)
            let matrix = ConfusionMatrix(truth: truth, predicted: predicted)
            for average in ClassAverage.allCases {
                let figures = [
                    matrix.precision(average), matrix.recall(average), matrix.fScore(average),
                    matrix.fScore(average, beta: 2), matrix.fScore(average, beta: 0.5),
                ]
                expectClose(figures.map { $0 ?? -1 }, golden[average.rawValue], average.rawValue)
            }
            expectClose(matrix.balancedAccuracy, golden["balanced"])
            expectClose(matrix.matthews, golden["mcc"])
            for weights in Agreement.Weights.allCases {
                let kappa = Agreement.cohenKappa(truth, predicted, weights: weights)
                expectClose(kappa, golden["kappa_\(weights.rawValue)"], "kappa \(weights)")
            }
            expectClose(Agreement.fleissKappa([truth, predicted, third]), golden["fleiss"])
        }
    }

    @Test("metrics of empty input and of classes that never occur are nil")
    func emptyClasses() {
        let none = ConfusionMatrix<String>(truth: [], predicted: [])
        #expect(
            none.accuracy == nil && none.matthews == nil && none.balancedAccuracy == nil && none.fScore(.macro) == nil)
        let matrix = ConfusionMatrix(truth: ["a", "b", "x"], predicted: ["a", "a", "a"], labels: ["a", "b", "c"])
        #expect(matrix.count == 2 && matrix.counts == [[1, 0, 0], [1, 0, 0], [0, 0, 0]])
        #expect(matrix.precision(of: "b") == nil && matrix.recall(of: "c") == nil && matrix.fScore(of: "c") == nil)
        #expect(matrix.precision(of: "unknown") == nil)
        #expect(Agreement.percent([1, 2], [1, 3]) == 0.5 && Agreement.flipRate([1, 2, 2], [1, 3, 2]) == 1.0 / 3)
        #expect(Agreement.percent([Int](), []) == nil && Agreement.cohenKappa([Int](), []) == nil)
        #expect(Agreement.fleissKappa([[1, 2]]) == nil && Agreement.fleissKappa([[Int]]()) == nil)
    }

    @Test("Krippendorff's alpha matches the krippendorff package")
    func krippendorff() {
        #expect(goldens["alpha"].elements.count == 3)
        for golden in goldens["alpha"].elements {
            let ratings = golden["ratings"].elements.map { $0.elements.map { $0.value.double } }
            for level in Agreement.Level.allCases {
                expectClose(Agreement.krippendorffAlpha(ratings, level: level), golden[level.rawValue], level.rawValue)
            }
        }
        #expect(Agreement.krippendorffAlpha([]) == nil)
        #expect(Agreement.krippendorffAlpha([[1, nil], [nil, 2]]) == nil)
        #expect(Agreement.krippendorffAlpha([[1, 1], [1, 1]]) == nil)
    }

    @Test("ROC area, average precision, log loss, and Brier score match scikit-learn")
    func ranks() {
        #expect(goldens["ranked"].elements.count == 3)
        for golden in goldens["ranked"].elements {
            let truth = golden["y"].ints.map { $0 == 1 }
            let ranked = RankedScores(truth: truth, scores: golden["s"].doubles)
            expectClose(ranked.rocArea, golden["area"])
            expectClose(ranked.averagePrecision, golden["average_precision"])
            expectClose(ranked.rocCurve.map(\.x), golden["fpr"])
            expectClose(ranked.rocCurve.map(\.y), golden["tpr"])
            expectClose(logLoss(truth: truth, probabilities: golden["s"].doubles), golden["log_loss"])
            expectClose(brierScore(truth: truth, probabilities: golden["s"].doubles), golden["brier"])
        }
        let golden = goldens["probabilities"]
        let rows = golden["p"].elements.map(\.doubles)
        expectClose(logLoss(truth: golden["y"].ints, probabilities: rows), golden["log_loss"])
        expectClose(brierScore(truth: golden["y"].ints, probabilities: rows), golden["brier"])
    }

    @Test("a single class has no ROC curve")
    func singleClass() {
        let ranked = RankedScores(truth: [true, true, false], scores: [0.2, 0.4, .nan])
        #expect(ranked.rocArea == nil && ranked.rocCurve.isEmpty && ranked.averagePrecision == 1)
        #expect(RankedScores(truth: [false], scores: [1]).averagePrecision == nil)
        #expect(RankedScores(truth: [true, false], scores: [0.5, 0.5]).rocArea == 0.5)
        #expect(logLoss(truth: [Bool](), probabilities: []) == nil)
        #expect(
            logLoss(truth: [5], probabilities: [[1, 0]]) == nil && brierScore(truth: [-1], probabilities: [[1]]) == nil)
        #expect((logLoss(truth: [true], probabilities: [0]) ?? .infinity) < 37)
    }

    @Test("reliability bins include their upper edge and ignore invalid confidences")
    func reliabilityEdges() throws {
        let confidences = [0, 0.1, 0.100001, 0.2, 1, 0.95]
        let hits = [false, true, true, false, true, true]
        let width = Reliability(confidences: confidences + [.nan, 1.5], hits: hits + [true, true], bins: 10)
        #expect(width.count == 6 && width.bins.map(\.count) == [2, 2, 0, 0, 0, 0, 0, 0, 0, 2])
        let expected = (2 * abs(0.05 - 0.5) + 2 * abs(0.1500005 - 0.5) + 2 * abs(0.975 - 1)) / 6
        #expect(abs((width.expectedError ?? 0) - expected) < 1e-12)
        let mass = Reliability(confidences: confidences, hits: hits, bins: 4, division: .mass)
        #expect(mass.bins.map(\.count) == [2, 2, 1, 1])
        #expect(Reliability(confidences: [0.5], hits: [true], bins: 15, division: .mass).bins.count == 1)
        let none = Reliability(confidences: [], hits: [])
        #expect(none.expectedError == nil && none.maximumError == nil)
    }

    @Test("correlation coefficients match SciPy")
    func correlation() {
        #expect(goldens["correlation"].elements.count == 6)
        for golden in goldens["correlation"].elements {
            let (x, y) = (golden["x"].doubles, golden["y"].doubles)
            expectClose(Correlation.pearson(x, y), golden["pearson"])
            expectClose(Correlation.spearman(x, y), golden["spearman"])
            expectClose(Correlation.kendall(x, y), golden["kendall"])
        }
        #expect(Correlation.kendall([], []) == nil)
    }

    @Test("drift measures match NumPy and SciPy")
    func drift() {
        #expect(goldens["drift"].elements.count == 5)
        for golden in goldens["drift"].elements {
            let (reference, current) = (golden["reference"].doubles, golden["current"].doubles)
            expectClose(Drift.psi(reference: reference, current: current), golden["psi"], "psi")
            expectClose(Drift.wasserstein(reference: reference, current: current), golden["wasserstein"])
            expectClose(Drift.wassersteinNormed(reference: reference, current: current), golden["normed"])
            expectClose(Drift.jensenShannon(reference: reference, current: current, base: 2), golden["shannon"])
        }
        #expect(
            Drift.psi(reference: [Double](), current: [1]) == nil
                && Drift.wasserstein(reference: [1], current: []) == nil)
        #expect(Drift.psiDeciles(reference: [1, 1, 1], current: [1]) == nil)
        #expect(Drift.psi(reference: ["a", "b"], current: ["a", "b"]) == 0)
        #expect(Drift.defaultTest(reference: (0..<900).map(Double.init)) == .kolmogorovSmirnov)
        #expect(Drift.defaultTest(reference: (0..<1200).map(Double.init)) == .wasserstein)
        #expect(Drift.defaultTest(reference: [0, 1, 0, 1]) == .proportions)
    }

    @Test("fairness measures match Fairlearn")
    func fairness() {
        let golden = goldens["fairness"]
        let fairness = Fairness(
            truth: golden["y"].ints.map { $0 == 1 }, predicted: golden["p"].ints.map { $0 == 1 },
            groups: golden["g"].elements.map { $0.value.string ?? "" })
        let figures = [
            fairness.parityDifference, fairness.parityRatio, fairness.oddsDifference, fairness.oddsRatio,
            fairness.opportunityDifference,
        ]
        #expect(fairness.groups.map(\.group) == ["p", "q", "r"])
        expectClose(figures.map { $0 ?? -1 }, golden["figures"])
        let none = Fairness<String>(truth: [], predicted: [], groups: [])
        #expect(none.parityDifference == nil && none.oddsRatio == nil)
        let never = Fairness(truth: [true, false], predicted: [false, false], groups: ["a", "b"])
        #expect(never.parityDifference == 0 && never.parityRatio == nil && never.opportunityDifference == 0)
    }
}
