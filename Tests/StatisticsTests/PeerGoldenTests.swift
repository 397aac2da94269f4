import JSON
import Statistics
import Testing

private let peers = Golden("../shared/peers/evals/goldens.json")

/// Values from NumPy, SciPy, scikit-learn, statsmodels, Fairlearn, krippendorff, and choix, to 1e-9.
@Suite(
    "Reference values",
    .enabled(if: peers != nil, "../shared/peers/evals/goldens.json is missing."))
struct PeerGoldenTests {
    let golden = peers ?? Golden(value: .null)

    @Test("binary classification metrics match the reference")
    func classesAndRanks() {
        let truth = golden["binary_in.y"].ints.map { $0 == 1 }
        let probabilities = golden["binary_in.p"].doubles
        let predicted = probabilities.map { $0 >= 0.5 }
        let matrix = ConfusionMatrix(truth: truth.map { $0 ? 1 : 0 }, predicted: predicted.map { $0 ? 1 : 0 })
        let expected = golden["binary"]
        expectClose(matrix.accuracy, expected["acc"])
        expectClose(matrix.precision(of: 1), expected["precision"])
        expectClose(matrix.recall(of: 1), expected["recall"])
        expectClose(matrix.fScore(of: 1), expected["f1"])
        expectClose(matrix.matthews, expected["mcc"])
        expectClose(matrix.balancedAccuracy, expected["balanced_acc"])
        #expect(matrix.counts.joined().map(\.self) == expected["confusion_tn_fp_fn_tp"].ints)
        let ranked = RankedScores(truth: truth, scores: probabilities)
        expectClose(ranked.rocArea, expected["roc_auc"])
        expectClose(ranked.averagePrecision, expected["average_precision"])
        expectClose(logLoss(truth: truth, probabilities: probabilities), expected["log_loss"])
        expectClose(brierScore(truth: truth, probabilities: probabilities), expected["brier"])
    }

    @Test("calibration errors match the reference")
    func calibration() {
        let truth = golden["binary_in.y"].ints
        let probabilities = golden["binary_in.p"].doubles
        let confidences = probabilities.map { max($0, 1 - $0) }
        let hits = zip(truth, probabilities).map { ($0 == 1) == ($1 >= 0.5) }
        let width = Reliability(confidences: confidences, hits: hits)
        expectClose(width.expectedError, golden["calibration_top_label.ece15_width"])
        expectClose(width.maximumError, golden["calibration_top_label.mce15_width"])
        let mass = Reliability(confidences: confidences, hits: hits, division: .mass)
        expectClose(mass.expectedError, golden["calibration_top_label.ace15_mass"])
    }

    @Test("multiclass metrics and agreement match the reference")
    func agreement() {
        let (truth, predicted) = (golden["multi_in.y"].ints, golden["multi_in.p"].ints)
        let third = golden["multi_in.third"].ints
        let expected = golden["multi"]
        let matrix = ConfusionMatrix(truth: truth, predicted: predicted)
        expectClose(matrix.fScore(.macro), expected["f1_macro"])
        expectClose(matrix.fScore(.micro), expected["f1_micro"])
        expectClose(matrix.fScore(.weighted), expected["f1_weighted"])
        expectClose(matrix.matthews, expected["mcc"])
        expectClose(Agreement.cohenKappa(truth, predicted), expected["kappa"])
        expectClose(Agreement.cohenKappa(truth, predicted, weights: .linear), expected["kappa_linear"])
        expectClose(Agreement.cohenKappa(truth, predicted, weights: .quadratic), expected["kappa_quadratic"])
        let ratings = [truth, predicted].map { $0.map { Double($0) as Double? } }
        expectClose(Agreement.krippendorffAlpha(ratings), expected["krippendorff_nominal"])
        expectClose(Agreement.fleissKappa([truth, predicted, third]), expected["fleiss_three"])
    }

    @Test("paired tests and intervals match the reference")
    func pairs() throws {
        let (a, b) = (golden["paired_in.a"].doubles, golden["paired_in.b"].doubles)
        let clusters = golden["paired_in.cluster"].ints
        let expected = golden["paired"]
        let differences = zip(a, b).map { $1 - $0 }
        let plain = try #require(PairedDifference.estimate(a: a, b: b))
        expectClose(plain.mean, expected["mean_diff"])
        expectClose(plain.standardError, expected["se_paired"])
        expectClose(plain.pValue(), expected["ttest_rel_p"])
        expectClose(UnpairedDifference(a: a, b: b)?.standardError, expected["se_unpaired"])
        let loose = MeanEstimate(of: differences, clusters: clusters, isFinite: false)
        expectClose(loose?.standardError, expected["se_clustered"])
        let clustered = PairedDifference.estimate(a: a, b: b, clusters: clusters)
        expectClose(clustered?.standardError, expected["se_clustered_finite"])
        #expect(clustered?.degrees == 49)
        expectClose(Correlation.pearson(a, b), expected["corr"])
        let test = McNemarTest(fixed: expected["improved"].int, broken: expected["regressed"].int)
        #expect(test.fixed == differences.count { $0 > 0 } && test.broken == differences.count { $0 < 0 })
        expectClose(test.exactP, expected["mcnemar_exact_p"])
        expectClose(test.correctedP, expected["mcnemar_cc_p"])
        expectClose(WilcoxonTest.pratt(differences)?.p, expected["wilcoxon_pratt_p"])
        let hits = a.count { $0 == 1 }
        let wilson = try #require(ProportionInterval.wilson(hits: hits, count: a.count))
        expectClose([wilson.lower, wilson.upper], expected["wilson95_a"])
        let exact = try #require(ProportionInterval.clopperPearson(hits: hits, count: a.count))
        expectClose([exact.lower, exact.upper], expected["clopper95_a"])
        let none = try #require(ProportionInterval.wilson(hits: 0, count: 5))
        expectClose([none.lower, none.upper], expected["wilson_0of5"])
    }

    @Test("adjusted p values match the reference")
    func multipleComparisons() {
        expectClose(Multiplicity.holm(golden["multiple.p"].doubles), golden["multiple.holm"])
        expectClose(Multiplicity.benjaminiHochberg(golden["multiple.p"].doubles), golden["multiple.bh"])
    }

    @Test("pass@k and pass^k match the reference")
    func repeatedSamples() {
        for (key, count, correct, k) in [
            ("n10_c3_k1", 10, 3, 1), ("n10_c3_k5", 10, 3, 5), ("n10_c0_k3", 10, 0, 3), ("n10_c10_k3", 10, 10, 3),
            ("n5_c4_k2", 5, 4, 2), ("n200_c17_k10", 200, 17, 10),
        ] {
            let expected = golden["pass_at_k.\(key)"]
            #expect(!expected.isNull)
            expectClose(RepeatedSamples.passAtK(count: count, correct: correct, k: k), expected["pass@k"], key)
            expectClose(RepeatedSamples.passHatK(count: count, correct: correct, k: k), expected["pass^k"], key)
        }
    }

    @Test("drift measures and correlations match the reference")
    func drift() {
        let (reference, current) = (golden["drift_in.ref"].doubles, golden["drift_in.cur"].doubles)
        let expected = golden["drift"]
        expectClose(Drift.psi(reference: reference, current: current), expected["psi_evidently_sturges"])
        expectClose(Drift.psiDeciles(reference: reference, current: current), expected["psi_ref_deciles"])
        let gap = Drift.kolmogorovSmirnov(reference: reference, current: current)
        expectClose(gap?.statistic, expected["ks_stat"])
        expectClose(gap?.p, expected["ks_p"])
        expectClose(Drift.wasserstein(reference: reference, current: current), expected["wasserstein"])
        expectClose(
            Drift.wassersteinNormed(reference: reference, current: current), expected["wasserstein_norm_by_ref_std"])
        expectClose(
            Drift.jensenShannon(reference: reference, current: current, base: 2), expected["js_distance_base2"])
        expectClose(Drift.jensenShannon(reference: reference, current: current), expected["js_distance_nat"])
        expectClose(
            Drift.chiSquaredDeciles(reference: reference, current: current)?.p, expected["chi2_p_on_deciles"])
        let (x, y) = (Array(reference.prefix(50)), Array(current.prefix(50)))
        expectClose(Correlation.pearson(x, y), golden["corr.pearson"])
        expectClose(Correlation.spearman(x, y), golden["corr.spearman"])
        expectClose(Correlation.kendall(x, y), golden["corr.kendall_b"])
    }

    @Test("fairness measures match the reference")
    func fairness() {
        let truth = golden["binary_in.y"].ints.map { $0 == 1 }
        let predicted = golden["binary_in.p"].doubles.map { $0 >= 0.5 }
        let groups = truth.indices.map { $0 % 3 == 0 ? "y" : "x" }
        let fairness = Fairness(truth: truth, predicted: predicted, groups: groups)
        let expected = golden["fairness"]
        expectClose(fairness.parityDifference, expected["dp_diff"])
        expectClose(fairness.parityRatio, expected["dp_ratio"])
        expectClose(fairness.oddsDifference, expected["eo_diff"])
        expectClose(fairness.oddsRatio, expected["eo_ratio"])
        expectClose(fairness.opportunityDifference, expected["eopp_diff"])
    }

    @Test("Bradley-Terry strengths and Elo ratings match the reference")
    func pairedChoices() throws {
        let games = golden["bt_in"].elements.map { BradleyTerry.Game(winner: $0.ints[0], loser: $0.ints[1]) }
        #expect(games.count == 600)
        let fit = try BradleyTerry(players: 5, games: games)
        expectClose(fit.strengths, golden["bt.theta"])
        expectClose(fit.elo, golden["bt.elo_scale_mean1000"])
        var elo = EloRatings(players: 5, k: 4)
        for game in games { elo.play(game) }
        expectClose(elo.ratings, golden["bt.online_elo_k4"])
    }
}
