"""Prints the numbers in the tables of the tests. They were made with scipy 1.17.1, numpy 2.4.6 and statsmodels 0.15.0."""
import math
import numpy as np
from scipy import stats
from statsmodels.stats.multitest import multipletests


def runs(n):
    return np.array([-i if 7 * i % 10 < 3 else i for i in range(1, n + 1)], float)


def tied(n):
    return np.array([i * i % 11 - 3 for i in range(1, n + 1)], float)


def enumerate_signs(d):
    """Exact conditional p: all 2^n signs on the midranks of the nonzero |d|."""
    d = d[d != 0]
    r = stats.rankdata(abs(d))
    t = np.zeros(1)
    for v in r:
        t = np.concatenate([t, t + v])
    mean = r.sum() / 2
    return np.mean(abs(t - mean) >= abs(r[d > 0].sum() - mean))


def walsh(d, conf):
    n = len(d)
    i, j = np.triu_indices(n)
    w = np.sort((d[i] + d[j]) / 2)
    if n <= 50:
        count = np.ones(1, dtype=object)
        for r in range(1, n + 1):
            count = np.concatenate([count, [0] * r]) + np.concatenate([[0] * r, count])
        k = sum(2 * c <= (1 - conf) * 2**n for c in np.cumsum(count)[: len(w) // 2 + 1])
    else:
        sd = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        k = 1 + math.floor(len(w) / 2 - stats.norm.isf((1 - conf) / 2) * sd)
    ci = (w[k - 1], w[len(w) - k]) if k else (-math.inf, math.inf)
    return np.median(w), ci


# Hollander & Wolfe, table 3.1: Hamilton scale before and after a tranquilizer.
x = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
y = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])
hamilton = np.round(y - x, 3)
print("hamilton", hamilton.tolist())

print("# exact, no ties: wilcoxon(d, method='exact')")
for n in (5, 6, 10, 20, 50):
    print(n, repr(stats.wilcoxon(runs(n), method="exact").pvalue))
print("hamilton", repr(stats.wilcoxon(hamilton, method="exact").pvalue))
zeros = np.array([0, 3, -1, 0, 4, 6, -2, 7, 0], float)
print("zeros", repr(stats.wilcoxon(zeros[zeros != 0], method="exact").pvalue), enumerate_signs(zeros))
print("# exact, tied: enumeration of the signs, and wilcoxon(d, method=PermutationMethod(n_resamples=inf))")
for n in (6, 10, 15, 20):
    d = tied(n)
    perm = stats.wilcoxon(d, method=stats.PermutationMethod(n_resamples=np.inf)).pvalue if n <= 15 else None
    print(n, d.tolist(), repr(enumerate_signs(d)), perm)
print("# approximate: wilcoxon(d, method='approx', correction=False)")
for name, d in (("runs(51)", runs(51)), ("runs(200)", runs(200)), ("tied(80)", tied(80)), ("tied(300)", tied(300))):
    print(name, np.count_nonzero(d), repr(stats.wilcoxon(d, method="approx", correction=False).pvalue))
print("# walsh(d, conf)")
for name, d, conf in (
    ("hamilton", hamilton, 0.95), ("hamilton", hamilton, 0.94), ("hamilton", hamilton, 0.99), ("hamilton", hamilton, 0.999),
    ("runs(5)", runs(5), 0.95), ("runs(6)", runs(6), 0.95), ("runs(6)", runs(6), 0.96875), ("runs(6)", runs(6), 0.97),
    ("runs(20)", runs(20), 0.95), ("runs(50)", runs(50), 0.95), ("runs(51)", runs(51), 0.95), ("runs(200)", runs(200), 0.99),
    ("tied(10)", tied(10), 0.95), ("tied(80)", tied(80), 0.9),
):
    print(name, conf, walsh(d, conf))
print("# multipletests(p, method='holm')")
for p in ([0.01, 0.04, 0.03, 0.005], [0.5, 0.001, 0.02, 0.02, 0.9, 0.3], [0.05], [0.01, 0.01, 0.01]):
    print(p, multipletests(p, method="holm")[1].tolist())
print("# quantiles")
for nu in (5, 6, 9, 19, 99):
    print(nu, repr(stats.t.ppf(0.975, nu)))


def rounds(n, est, lo, hi, margin, alpha, m):
    sd = (hi - lo) / 2 * math.sqrt(n) / stats.t.ppf(0.975, n - 1)
    z = stats.norm.isf
    need = math.inf
    if est:
        need = ((z(alpha / (2 * m)) + z(0.2)) * sd / abs(est)) ** 2
    if abs(est) < margin:
        need = min(need, ((z(alpha / 2) + z(0.2)) * sd / (margin - abs(est))) ** 2)
    return need / (3 / math.pi)


print("# rounds, before rounding up and the floor")
for a in (
    (10, 0.05, -0.02, 0.12, 0.01, 0.05, 1), (10, 0.05, -0.02, 0.12, 0.01, 0.05, 12), (10, -0.05, -0.12, 0.02, 0.01, 0.05, 1),
    (10, 0.001, -0.03, 0.032, 0.02, 0.05, 1), (20, 0.009, -0.012, 0.03, 0.02, 0.05, 8), (10, 0, -0.03, 0.03, 0.02, 0.05, 1),
    (10, 0.001, -0.3, 0.302, 0.01, 0.05, 1),
):
    print(a, rounds(*a))
