import Evals
import JSON
import Statistics

/// The figures for a file of reference values, by path: `binary.f1`, `bt.theta.0`.
struct GoldenValues {
    private(set) var all: [String: Double?] = [:]
    private let golden: JSONValue

    init(_ golden: JSONValue) {
        self.golden = golden
        classes()
        several()
        pairs()
        repeated()
        texts()
        drift()
        choices()
    }

    private func value(_ path: String) -> JSONValue {
        path.split(separator: ".").reduce(golden) { $0[String($1)] ?? .null }
    }
    private func numbers(_ path: String) -> [Double] { value(path).elements?.compactMap(\.double) ?? [] }
    private func integers(_ path: String) -> [Int] { value(path).elements?.compactMap(\.int) ?? [] }
    private func words(_ path: String) -> [String] { value(path).elements?.compactMap(\.string) ?? [] }

    private mutating func put(_ family: String, _ values: KeyValuePairs<String, Double?>) {
        for (name, value) in values { all["\(family).\(name)"] = value }
    }

    private mutating func put(_ name: String, all values: [Double]) {
        for (place, value) in values.enumerated() { all["\(name).\(place)"] = value }
    }

    private mutating func classes() {
        let (labels, probabilities) = (integers("binary_in.y"), numbers("binary_in.p"))
        let truth = labels.map { $0 == 1 }
        let predicted = probabilities.map { $0 >= 0.5 }
        let matrix = ConfusionMatrix(truth: labels, predicted: predicted.map { $0 ? 1 : 0 })
        let ranked = RankedScores(truth: truth, scores: probabilities)
        put(
            "binary",
            [
                "acc": matrix.accuracy, "precision": matrix.precision(of: 1), "recall": matrix.recall(of: 1),
                "f1": matrix.fScore(of: 1), "mcc": matrix.matthews, "balanced_acc": matrix.balancedAccuracy,
                "roc_auc": ranked.rocArea, "average_precision": ranked.averagePrecision,
                "log_loss": logLoss(truth: truth, probabilities: probabilities),
                "brier": brierScore(truth: truth, probabilities: probabilities),
            ])
        put("binary.confusion_tn_fp_fn_tp", all: matrix.counts.joined().map(Double.init))
        let confidences = probabilities.map { max($0, 1 - $0) }
        let hits = zip(truth, predicted).map { $0 == $1 }
        let width = Reliability(confidences: confidences, hits: hits)
        let mass = Reliability(confidences: confidences, hits: hits, division: .mass)
        put(
            "calibration_top_label",
            ["ece15_width": width.expectedError, "mce15_width": width.maximumError, "ace15_mass": mass.expectedError])
        let groups = truth.indices.map { $0 % 3 == 0 ? "y" : "x" }
        let fairness = Fairness(truth: truth, predicted: predicted, groups: groups)
        put(
            "fairness",
            [
                "dp_diff": fairness.parityDifference, "dp_ratio": fairness.parityRatio,
                "eo_diff": fairness.oddsDifference, "eo_ratio": fairness.oddsRatio,
                "eopp_diff": fairness.opportunityDifference,
            ])
    }

    private mutating func several() {
        let (truth, predicted, third) = (integers("multi_in.y"), integers("multi_in.p"), integers("multi_in.third"))
        let matrix = ConfusionMatrix(truth: truth, predicted: predicted)
        let ratings = [truth, predicted].map { $0.map { Double($0) as Double? } }
        put(
            "multi",
            [
                "f1_macro": matrix.fScore(.macro), "f1_micro": matrix.fScore(.micro),
                "f1_weighted": matrix.fScore(.weighted), "mcc": matrix.matthews,
                "kappa": Agreement.cohenKappa(truth, predicted),
                "kappa_linear": Agreement.cohenKappa(truth, predicted, weights: .linear),
                "kappa_quadratic": Agreement.cohenKappa(truth, predicted, weights: .quadratic),
                "krippendorff_nominal": Agreement.krippendorffAlpha(ratings, level: .nominal),
                "fleiss_three": Agreement.fleissKappa([truth, predicted, third]),
            ])
        put("multiple.p", all: numbers("multiple.p"))
        put("multiple.holm", all: Multiplicity.holm(numbers("multiple.p")))
        put("multiple.bh", all: Multiplicity.benjaminiHochberg(numbers("multiple.p")))
    }

    private mutating func pairs() {
        let (a, b, clusters) = (numbers("paired_in.a"), numbers("paired_in.b"), integers("paired_in.cluster"))
        let differences = zip(a, b).map { $1 - $0 }
        let plain = PairedDifference.estimate(a: a, b: b)
        let (fixed, broken) = (differences.count { $0 > 0 }, differences.count { $0 < 0 })
        let test = McNemarTest(fixed: fixed, broken: broken)
        put(
            "paired",
            [
                "mean_diff": plain?.mean, "improved": Double(fixed), "regressed": Double(broken),
                "se_paired": plain?.standardError, "se_unpaired": UnpairedDifference(a: a, b: b)?.standardError,
                "se_clustered": MeanEstimate(of: differences, clusters: clusters, isFinite: false)?.standardError,
                "se_clustered_finite": PairedDifference.estimate(a: a, b: b, clusters: clusters)?.standardError,
                "corr": Correlation.pearson(a, b), "mcnemar_exact_p": test.exactP, "mcnemar_cc_p": test.correctedP,
                "ttest_rel_p": plain?.pValue(), "wilcoxon_pratt_p": WilcoxonTest.pratt(differences)?.p,
            ])
        let hits = a.count { $0 == 1 }
        let intervals = [
            ("wilson95_a", ProportionInterval.wilson(hits: hits, count: a.count)),
            ("clopper95_a", ProportionInterval.clopperPearson(hits: hits, count: a.count)),
            ("wilson_0of5", ProportionInterval.wilson(hits: 0, count: 5)),
        ]
        for (name, interval) in intervals {
            put("paired.\(name)", all: interval.map { [$0.lower, $0.upper] } ?? [])
        }
    }

    /// Names are `n10_c3_k5`: 10 attempts, 3 of them correct, and 5 drawn.
    private mutating func repeated() {
        for member in value("pass_at_k").members ?? [] {
            let figures = member.key.split(separator: "_").compactMap { Int($0.dropFirst()) }
            guard figures.count == 3 else { continue }
            let (count, correct, k) = (figures[0], figures[1], figures[2])
            put(
                "pass_at_k.\(member.key)",
                [
                    "pass@k": RepeatedSamples.passAtK(count: count, correct: correct, k: k),
                    "pass^k": RepeatedSamples.passHatK(count: count, correct: correct, k: k),
                ])
        }
    }

    private mutating func texts() {
        let (answers, targets) = (words("text_in.hyp"), words("text_in.ref"))
        let references = targets.map { [$0] }
        put(
            "text",
            [
                "bleu": BLEU.corpus(answers, references: references),
                "chrf": ChrF().corpus(answers, references: references),
                "chrf++": ChrF(wordOrders: 2).corpus(answers, references: references),
                "ter": TER.corpus(answers, references: references),
            ])
        for (place, (answer, target)) in zip(answers, targets).enumerated() {
            for name in ["rouge1", "rouge2", "rougeL", "rougeLsum"] {
                all["text.rouge.\(place).\(name)"] = ROUGE(name: name)?.score(answer, reference: target)?.f
            }
        }
    }

    private mutating func drift() {
        let (reference, current) = (numbers("drift_in.ref"), numbers("drift_in.cur"))
        let gap = Drift.kolmogorovSmirnov(reference: reference, current: current)
        put(
            "drift",
            [
                "psi_evidently_sturges": Drift.psi(reference: reference, current: current),
                "psi_ref_deciles": Drift.psiDeciles(reference: reference, current: current),
                "ks_stat": gap?.statistic, "ks_p": gap?.p,
                "wasserstein": Drift.wasserstein(reference: reference, current: current),
                "wasserstein_norm_by_ref_std": Drift.wassersteinNormed(reference: reference, current: current),
                "js_distance_base2": Drift.jensenShannon(reference: reference, current: current, base: 2),
                "js_distance_nat": Drift.jensenShannon(reference: reference, current: current),
                "chi2_p_on_deciles": Drift.chiSquaredDeciles(reference: reference, current: current)?.p,
            ])
        let (x, y) = (Array(reference.prefix(50)), Array(current.prefix(50)))
        put(
            "corr",
            [
                "pearson": Correlation.pearson(x, y), "spearman": Correlation.spearman(x, y),
                "kendall_b": Correlation.kendall(x, y),
            ])
    }

    private mutating func choices() {
        let games = (value("bt_in").elements ?? []).compactMap { game -> BradleyTerry.Game? in
            guard let players = game.elements?.compactMap(\.int), players.count == 2 else { return nil }
            return .init(winner: players[0], loser: players[1])
        }
        guard let fit = try? BradleyTerry(players: 5, games: games) else { return }
        put("bt.theta", all: fit.strengths)
        put("bt.elo_scale_mean1000", all: fit.elo)
        var elo = EloRatings(players: 5, k: 4)
        for game in games { elo.play(game) }
        put("bt.online_elo_k4", all: elo.ratings)
    }
}
