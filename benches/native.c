// The peers in C with OpenMP. The benchmark compiles this file with each C compiler it finds and opens the result.
//
// Written to be hard to beat within strict IEEE arithmetic: no contraction, no reordering, but in `sum_f32`, where qd
// doesn't follow the order of the source either. Rows are functions with `restrict` parameters, because compilers lose
// `restrict` where they move the body of a parallel loop to a function of its own.
#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>

typedef float f32;
typedef double f64;

void set_threads(size_t threads) { omp_set_num_threads((int)threads); }

void triad_f32(f32 *restrict a, const f32 *restrict b, const f32 *restrict c, f32 s, size_t n) {
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}

void triad_f64(f64 *restrict a, const f64 *restrict b, const f64 *restrict c, f64 s, size_t n) {
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}

f32 sum_f32(const f32 *x, size_t n) {
    f32 sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum;
}

static inline void jacobi_row(f32 *restrict out, const f32 *restrict up, const f32 *restrict mid, const f32 *restrict down, size_t m) {
    for (size_t j = 1; j < m - 1; j++) out[j] = 0.25f * (up[j] + down[j] + mid[j - 1] + mid[j + 1]);
}

static void jacobi_sweep(f32 *restrict b, const f32 *restrict a, size_t n, size_t m) {
#pragma omp parallel for
    for (size_t i = 1; i < n - 1; i++) {
        const f32 *mid = a + i * m;
        jacobi_row(b + i * m, mid - m, mid, mid + m, m);
    }
}

void jacobi(f32 *restrict a, f32 *restrict b, size_t n, size_t m, size_t pairs) {
    for (size_t k = 0; k < pairs; k++) {
        jacobi_sweep(b, a, n, m);
        jacobi_sweep(a, b, n, m);
    }
}

static inline void gray_scott_row(f32 *restrict un, f32 *restrict vn, const f32 *restrict u, const f32 *restrict v, size_t m) {
    for (size_t j = 1; j < m - 1; j++) {
        f32 c = u[j], d = v[j];
        f32 lu = u[j - m] + u[j + m] + u[j - 1] + u[j + 1] - 4.0f * c;
        f32 lv = v[j - m] + v[j + m] + v[j - 1] + v[j + 1] - 4.0f * d;
        f32 r = c * d * d;
        un[j] = c + (0.16f * lu - r + 0.035f * (1.0f - c));
        vn[j] = d + (0.08f * lv + r - 0.1f * d);
    }
}

static void gray_scott_step(f32 *restrict un, f32 *restrict vn, const f32 *restrict u, const f32 *restrict v, size_t n, size_t m) {
#pragma omp parallel for
    for (size_t i = 1; i < n - 1; i++) gray_scott_row(un + i * m, vn + i * m, u + i * m, v + i * m, m);
}

void gray_scott(f32 *restrict u, f32 *restrict v, f32 *restrict un, f32 *restrict vn, size_t n, size_t m, size_t pairs) {
    for (size_t k = 0; k < pairs; k++) {
        gray_scott_step(un, vn, u, v, n, m);
        gray_scott_step(u, v, un, vn, n, m);
    }
}

void matmul(f32 *restrict c, const f32 *restrict a, const f32 *restrict b, size_t n) {
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            f32 sum = 0;
            for (size_t k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

void nbody(f32 *restrict fx, f32 *restrict fy, f32 *restrict fz, const f32 *restrict x, const f32 *restrict y, const f32 *restrict z, const f32 *restrict m, size_t n) {
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        f32 ax = 0, ay = 0, az = 0;
        for (size_t j = 0; j < n; j++) {
            f32 dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            f32 inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            f32 s = m[j] * inverse * inverse * inverse;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        fx[i] = ax;
        fy[i] = ay;
        fz[i] = az;
    }
}

void histogram(uint32_t *restrict bins, const uint32_t *restrict keys, size_t n) {
    for (size_t k = 0; k < 256; k++) bins[k] = 0;
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
#pragma omp atomic
        bins[keys[i] & 255] += 1;
    }
}

void julia(uint32_t *restrict out, size_t n, uint32_t limit) {
    f32 scale = 3.0f / (f32)n;
#pragma omp parallel for schedule(dynamic, 8)
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            f32 zx = (f32)i * scale - 1.5f, zy = (f32)j * scale - 1.5f;
            uint32_t count = 0;
            while (zx * zx + zy * zy < 4.0f && count < limit) {
                f32 t = zx * zx - zy * zy - 0.8f;
                zy = 2.0f * zx * zy + 0.156f;
                zx = t;
                count++;
            }
            out[i * n + j] = count;
        }
}

void increment(f32 *x, size_t n) {
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) x[i] += 1.0f;
}

// A few nanoseconds of divisions an element, so that large launches are no test of the memory.
static inline f32 fractions(f32 v) {
    v = 1.0f / (v + 1.0f);
    v = 1.0f / (v + 1.0f);
    v = 1.0f / (v + 1.0f);
    v = 1.0f / (v + 1.0f);
    v = 1.0f / (v + 1.0f);
    v = 1.0f / (v + 1.0f);
    v = 1.0f / (v + 1.0f);
    v = 1.0f / (v + 1.0f);
    return v;
}

void work(f32 *x, size_t n) {
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) x[i] = fractions(x[i]);
}

void work_alone(f32 *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = fractions(x[i]);
}
