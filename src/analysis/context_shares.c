/* See context_shares.h. */
#include "config.h"
#include "analysis/context_shares.h"

#include <math.h>

/* Bytes of a text for each token: fewer than DENSE no text has, usual are TYPICAL. */
#define DENSE   1.5
#define TYPICAL 3.5
#define SPARSE  12.0 /* and more than that hardly one */
#define ENOUGH  3    /* steps for a line */
#define FRAME   100  /* tokens around messages: fewer are no sign of anything */
#define NOISE   0.1  /* of the tokens: what is less is no sign of anything unrecorded */

void context_sizes_add(struct context_sizes *sum, const struct context_sizes *more)
{
	for (int i = 0; i < CONTEXT_RECORDED; i++)
		sum->bytes[i] += more->bytes[i];
	sum->media_weight += more->media_weight;
}

uint64_t context_sizes_bytes(const struct context_sizes *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < CONTEXT_RECORDED; i++)
		sum += s->bytes[i];
	return sum;
}

static uint64_t weight_of(const struct context_sizes *s, int kind)
{
	return kind == CONTEXT_MEDIA ? s->media_weight : s->bytes[kind];
}

uint64_t context_sizes_weight(const struct context_sizes *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < CONTEXT_RECORDED; i++)
		sum += weight_of(s, i);
	return sum;
}

void context_split(const struct context_sizes *s, double tokens, double unrecorded,
	double out[CONTEXT_KINDS])
{
	double weight = (double)context_sizes_weight(s), each;

	if (isnan(tokens)) {
		for (int i = 0; i < CONTEXT_RECORDED; i++)
			out[i] = (double)s->bytes[i];
		out[CONTEXT_UNRECORDED] = 0;
		return;
	}
	if (!(unrecorded > 0))
		unrecorded = 0;
	if (unrecorded > tokens || !(weight > 0))
		unrecorded = tokens;
	each = weight > 0 ? (tokens - unrecorded) / weight : 0;
	for (int i = 0; i < CONTEXT_RECORDED; i++)
		out[i] = (double)weight_of(s, i) * each;
	out[CONTEXT_UNRECORDED] = unrecorded;
}

/* ---- what is not recorded ---- */

void context_fit_add(struct context_fit *f, double weight, double tokens)
{
	double apart = tokens > weight / DENSE ? tokens - weight / TYPICAL : 0;

	if (!(tokens > 0))
		return;
	if (!(f->n > 0) || tokens < f->least)
		f->least = tokens;
	if (!(f->n > 0) || apart < f->apart)
		f->apart = apart;
	f->n++;
	f->x += weight;
	f->y += tokens;
	f->xx += weight * weight;
	f->xy += weight * tokens;
}

/* Where the line meets no bytes; NaN: there is no line, or none of a text. */
static double meets_nothing(const struct context_fit *f)
{
	double spread = f->n * f->xx - f->x * f->x, slope;

	if (f->n < ENOUGH || !(spread > 0.01 * f->x * f->x))
		return NAN;
	slope = (f->n * f->xy - f->x * f->y) / spread;
	if (!(slope >= 1 / SPARSE && slope <= 1 / DENSE))
		return NAN;
	return (f->y - slope * f->x) / f->n;
}

double context_fit_unrecorded(const struct context_fit *f)
{
	double at;

	if (!(f->n > 0) || f->defined)
		return 0;
	at = meets_nothing(f);
	if (isnan(at))
		at = f->apart;
	else if (at < NOISE * f->y / f->n)
		return 0;
	if (at < FRAME)
		return 0;
	return at < f->least ? at : f->least;
}

double context_fit_guess(const struct context_fit *f, double weight)
{
	double unrecorded = context_fit_unrecorded(f);

	if (!(f->n > 0) || !(f->x > 0))
		return NAN;
	return unrecorded + weight * (f->y - f->n * unrecorded) / f->x;
}

/* ---- cells ---- */

/* The part with the largest remainder that has got none of the rest yet. */
static int next_rest(const double rest[CONTEXT_KINDS])
{
	int best = 0;

	for (int i = 1; i < CONTEXT_KINDS; i++)
		if (rest[i] > rest[best])
			best = i;
	return best;
}

void context_cells(
	const double part[CONTEXT_KINDS], uint32_t cells, uint32_t out[CONTEXT_KINDS])
{
	double sum = 0, rest[CONTEXT_KINDS];
	uint32_t given = 0;

	for (int i = 0; i < CONTEXT_KINDS; i++)
		sum += part[i] > 0 ? part[i] : 0;
	for (int i = 0; i < CONTEXT_KINDS; i++) {
		double exact = part[i] > 0 && sum > 0 ? part[i] / sum * cells : 0;

		out[i] = (uint32_t)exact;
		rest[i] = exact - out[i];
		given += out[i];
	}
	for (; sum > 0 && given < cells; given++) {
		int i = next_rest(rest);

		out[i]++;
		rest[i] = -1;
	}
}
